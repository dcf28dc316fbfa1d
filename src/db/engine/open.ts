import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Secret } from '../../lib/secret.ts'
import { SECOND_MS } from '../../lib/times.ts'
import type { Schema } from '../schema/schema.ts'
import { clientClass } from './client.ts'
import { openEmbedded } from './embedded.ts'
import { migrateToLatest, type OnMigrating, requireKnownSchema } from './migrate.ts'
import { type OnQuery, rememberPool } from './pools.ts'
import { NO_TIMEOUTS, SETTINGS, settingsOf, storeSettings } from './settings.ts'
import { withActualSslMode } from './sslMode.ts'

export interface Database {
  db: Kysely<Schema>
  connections(): Connections
  /** Returns the names of the migrations that it applied. */
  migrate(onMigrating?: OnMigrating): Promise<string[]>
  close(): Promise<void>
}

/** The pool: its limit, open and idle connections, and requests waiting for one. */
export interface Connections {
  most: number
  open: number
  free: number
  awaited: number
}

export interface DatabaseOptions {
  databaseUrl: Secret | undefined
  /** A URL that bypasses the pooler, if `databaseUrl` leads to one: for work that needs a dedicated connection. */
  directDatabaseUrl?: Secret | undefined
  /** Whether to use named prepared statements. */
  preparesStatements?: boolean
  onQuery?: OnQuery | undefined
  dataDir: string
  onConnectionError: (error: Error) => void
}

export const MIN_SERVER_VERSION = 150_000
/** The Postgres type id of `bigint[]`, for which the driver has no constant. */
const INT8_ARRAY = 1016

/** Opens Postgres if a URL is given, otherwise the embedded database; both use the same driver and dialect. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, directDatabaseUrl, preparesStatements = true, onQuery, dataDir, onConnectionError } = options
  if (databaseUrl === undefined) {
    const embedded = await openEmbedded(dataDir)
    const { db, connections } = kyselyOver(
      { ...embedded.poolConfig, max: 1, connectionTimeoutMillis: 10 * SECOND_MS },
      { onConnectionError, onQuery },
    )
    return {
      db,
      connections,
      migrate: (onMigrating) => migrateToLatest(db, onMigrating),
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
      connectionString: withActualSslMode(databaseUrl.reveal()),
      max: 10,
      // Also limits the wait for an idle connection. Longer waits would delay recovery after an overload.
      connectionTimeoutMillis: 2 * SECOND_MS,
      idleTimeoutMillis: 30 * SECOND_MS,
      // The server's timeouts fire first; this one detects a dead connection.
      query_timeout: 12 * SECOND_MS,
    },
    // Sets the settings only without a pooler. Behind one, `set` would apply to whichever server connection happened to
    // run it.
    {
      onConnectionError,
      onQuery,
      preparesStatements,
      ...(!directDatabaseUrl && { settings: settingsOf(SETTINGS) }),
    },
  )
  return {
    db,
    connections,
    migrate: async (onMigrating) => {
      // A connection without timeouts: another node's migration may take long.
      const connectionString = withActualSslMode((directDatabaseUrl ?? databaseUrl).reveal())
      const settings = settingsOf(NO_TIMEOUTS)
      const { db: withoutTimeouts } = kyselyOver(
        { ...common, connectionString, max: 1, connectionTimeoutMillis: 10 * SECOND_MS },
        { onConnectionError, settings },
      )
      try {
        await requireVersion(withoutTimeouts)
        if (directDatabaseUrl) {
          await requireKnownSchema(withoutTimeouts)
          await storeSettings(withoutTimeouts, SETTINGS)
        }
        return await migrateToLatest(withoutTimeouts, onMigrating)
      } finally {
        await withoutTimeouts.destroy()
      }
    },
    close: () => db.destroy(),
  }
}

interface Options {
  onConnectionError: (error: Error) => void
  onQuery?: OnQuery | undefined
  /** Whether to name statements and run prepared ones directly on the pool. */
  preparesStatements?: boolean
  /** A statement that runs first on every connection. */
  settings?: string
}

function kyselyOver(
  config: pg.PoolConfig,
  { onConnectionError, onQuery, preparesStatements = true, settings }: Options,
) {
  const types = new pg.TypeOverrides()
  // Host ids are below 2^53, so a bigint fits a number.
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(INT8_ARRAY as number, (text: string) => text.slice(1, -1).split(',').map(Number))
  const pool = new pg.Pool({
    ...config,
    types,
    Client: clientClass(preparesStatements),
    ...(settings && { onConnect: (client) => client.query(settings) }),
  })
  pool.on('error', onConnectionError)
  // A connection can break between two queries of a transaction, when no other listener handles the error.
  pool.on('connect', (client) => client.on('error', onConnectionError))
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery && { log: ({ query, queryDurationMillis }) => onQuery(query.sql, queryDurationMillis / 1000) }),
  })
  // Statements cannot be run directly on the connections of the embedded database, which are of another kind.
  if (config.connectionString && preparesStatements) rememberPool(db, { pool, onQuery })
  const most = config.max ?? 0
  const connections = (): Connections => {
    const { totalCount, idleCount, waitingCount } = pool
    return { most, open: totalCount, free: idleCount, awaited: waitingCount }
  }
  return { db, connections }
}

async function requireVersion(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
  if (Number(rows[0]?.server_version_num) < MIN_SERVER_VERSION)
    throw new Error('Pullpress requires Postgres 15 or newer.')
}
