import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Secret } from '../../lib/secret.ts'
import type { Schema } from '../schema/schema.ts'
import { openEmbedded } from './embedded.ts'
import { migrateToLatest } from './migrate.ts'
import { type OnQuery, rememberPool } from './pools.ts'
import { nameStatements } from './prepared/namedStatements.ts'
import { endWhenSilent } from './silence.ts'
import { keepTimeOuts, NO_TIME_OUTS, settingsOf, TIME_OUTS } from './timeouts.ts'

export interface Database {
  db: Kysely<Schema>
  connections(): Connections
  migrate(): Promise<string[]>
  close(): Promise<void>
}

/** Of how many there may be, how many there are, are free, and are waited for. */
export interface Connections {
  most: number
  open: number
  free: number
  awaited: number
}

export interface DatabaseOptions {
  databaseUrl: Secret | undefined
  /** Past a pooler, where `databaseUrl` leads to one: for what needs a connection of its own. */
  directDatabaseUrl?: Secret | undefined
  /** Whether statements may have names. */
  preparesStatements?: boolean
  onQuery?: OnQuery | undefined
  dataDir: string
  onConnectionError: (error: Error) => void
}

const SECOND = 1000
const OLDEST_POSTGRES = 150_000
/** The driver has no name for it. */
const INT8_ARRAY = 1016

/** Postgres where an address is given, the embedded one otherwise; the same driver and dialect for both. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, directDatabaseUrl, preparesStatements = true, onQuery, dataDir, onConnectionError } = options
  if (databaseUrl === undefined) {
    const embedded = await openEmbedded(dataDir)
    const { db, connections } = kyselyOver(
      { ...embedded.poolConfig, max: 1, connectionTimeoutMillis: 10 * SECOND },
      { onConnectionError, onQuery },
    )
    return {
      db,
      connections,
      migrate: () => migrateToLatest(db),
      close: async () => {
        await db.destroy()
        await embedded.close()
      },
    }
  }

  const common = { application_name: 'pullpress', keepAlive: true }
  const { db, connections } = kyselyOver(
    {
      ...common,
      connectionString: databaseUrl.reveal(),
      max: 10,
      // For one that is free, too. Whoever waits longer would still be in the way when all is well again.
      connectionTimeoutMillis: 2 * SECOND,
      idleTimeoutMillis: 30 * SECOND,
      // The server's own limits come first; this one frees us of a connection that has gone silent.
      query_timeout: 12 * SECOND,
    },
    // Behind a pooler a setting would stay with whichever connection it happened to be made on.
    {
      onConnectionError,
      onQuery,
      isSwift: preparesStatements,
      ...(!directDatabaseUrl && { settings: settingsOf(TIME_OUTS) }),
    },
  )
  return {
    db,
    connections,
    migrate: async () => {
      // A connection without time-outs: a node may wait long for another node's migration.
      const connectionString = (directDatabaseUrl ?? databaseUrl).reveal()
      const settings = settingsOf(NO_TIME_OUTS)
      const { db: patient } = kyselyOver(
        { ...common, connectionString, max: 1, connectionTimeoutMillis: 10 * SECOND },
        { onConnectionError, settings },
      )
      try {
        await requireVersion(patient)
        if (directDatabaseUrl) await keepTimeOuts(patient, TIME_OUTS)
        return await migrateToLatest(patient)
      } finally {
        await patient.destroy()
      }
    },
    close: () => db.destroy(),
  }
}

interface Manner {
  onConnectionError: (error: Error) => void
  onQuery?: OnQuery | undefined
  /** Whether statements get names, and are sent as they are. */
  isSwift?: boolean
  /** A statement that every connection begins with. */
  settings?: string
}

function kyselyOver(config: pg.PoolConfig, { onConnectionError, onQuery, isSwift = true, settings }: Manner) {
  const types = new pg.TypeOverrides()
  // Host ids are below 2^53, so a bigint fits a number.
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(INT8_ARRAY as number, (text: string) => text.slice(1, -1).split(',').map(Number))
  const pool = new pg.Pool({ ...config, types, ...(settings && { onConnect: (client) => client.query(settings) }) })
  pool.on('error', onConnectionError)
  // A connection can be lost between two queries of one transaction, when nobody else is listening.
  pool.on('connect', (client) => {
    client.on('error', onConnectionError)
    endWhenSilent(client)
    if (isSwift) nameStatements(client)
  })
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery && { log: ({ query, queryDurationMillis }) => onQuery(query.sql, queryDurationMillis / 1000) }),
  })
  // The embedded database's connections are of its own making.
  if (config.connectionString && isSwift) rememberPool(db, { pool, onQuery })
  const most = config.max ?? 0
  const connections = (): Connections => {
    const { totalCount, idleCount, waitingCount } = pool
    return { most, open: totalCount, free: idleCount, awaited: waitingCount }
  }
  return { db, connections }
}

async function requireVersion(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
  if (Number(rows[0]?.server_version_num) < OLDEST_POSTGRES) throw new Error('Pullpress needs Postgres 15 or newer.')
}
