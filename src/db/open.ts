import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Secret } from '../secret.ts'
import { openEmbedded } from './embedded.ts'
import { migrateToLatest } from './migrate.ts'
import { nameStatements } from './namedStatements.ts'
import { rememberPool } from './pools.ts'
import type { Schema } from './schema.ts'

export interface Database {
  db: Kysely<Schema>
  migrate(): Promise<string[]>
  close(): Promise<void>
}

export interface DatabaseOptions {
  databaseUrl: Secret | undefined
  dataDir: string
  onConnectionError: (error: Error) => void
}

const SECOND = 1000
const OLDEST_POSTGRES = 150_000
/** The driver has no name for it. */
const INT8_ARRAY = 1016

/** Postgres where an address is given, the embedded one otherwise; the same driver and dialect for both. */
export async function openDatabase({ databaseUrl, dataDir, onConnectionError }: DatabaseOptions): Promise<Database> {
  if (databaseUrl === undefined) {
    const embedded = await openEmbedded(dataDir)
    const db = kyselyOver({ ...embedded.poolConfig, max: 1, connectionTimeoutMillis: 10 * SECOND }, onConnectionError)
    return {
      db,
      migrate: () => migrateToLatest(db),
      close: async () => {
        await db.destroy()
        await embedded.close()
      },
    }
  }

  const connection = { connectionString: databaseUrl.reveal(), application_name: 'pullpress', keepAlive: true }
  const db = kyselyOver(
    {
      ...connection,
      max: 10,
      connectionTimeoutMillis: 5 * SECOND,
      idleTimeoutMillis: 30 * SECOND,
      statement_timeout: 10 * SECOND,
      lock_timeout: 5 * SECOND,
      idle_in_transaction_session_timeout: 10 * SECOND,
      // The server's own limits come first; this one frees us of a connection that has gone silent.
      query_timeout: 12 * SECOND,
    },
    onConnectionError,
  )
  return {
    db,
    migrate: async () => {
      // A connection without time-outs: a node may wait long for another node's migration.
      const patient = kyselyOver({ ...connection, max: 1, connectionTimeoutMillis: 5 * SECOND }, onConnectionError)
      try {
        await requireVersion(patient)
        return await migrateToLatest(patient)
      } finally {
        await patient.destroy()
      }
    },
    close: () => db.destroy(),
  }
}

function kyselyOver(config: pg.PoolConfig, onConnectionError: (error: Error) => void): Kysely<Schema> {
  const types = new pg.TypeOverrides()
  // Host ids are below 2^53, so a bigint fits a number.
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(INT8_ARRAY as number, (text: string) => text.slice(1, -1).split(',').map(Number))
  const pool = new pg.Pool({ ...config, types })
  pool.on('error', onConnectionError)
  // A connection can be lost between two queries of one transaction, when nobody else is listening.
  pool.on('connect', (client) => {
    client.on('error', onConnectionError)
    nameStatements(client)
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  // The embedded database's connections are of its own making.
  return config.connectionString ? rememberPool(db, pool) : db
}

async function requireVersion(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
  if (Number(rows[0]?.server_version_num) < OLDEST_POSTGRES) throw new Error('Pullpress needs Postgres 15 or newer.')
}
