import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { type MigrationState, migrationState } from './migrate.ts'
import { MIN_SERVER_VERSION } from './open.ts'

export interface DatabaseState extends MigrationState {
  version: string
  isSupported: boolean
  role: string
  database: string
  /** When the server started, which tells servers apart. */
  startedAt: Date
  /** Whether the role may create tables and schemas, as migrations do. */
  canCreate: boolean
  now: Date
}

export async function inspectDatabase(db: Kysely<Schema>): Promise<DatabaseState> {
  const { rows } = await sql<Omit<DatabaseState, keyof MigrationState>>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int >= ${sql.lit(MIN_SERVER_VERSION)} as "isSupported",
      current_user as role, current_database() as database, pg_postmaster_start_time() as "startedAt",
      has_schema_privilege(current_schema(), 'create') and has_database_privilege(current_database(), 'create')
        as "canCreate",
      clock_timestamp() as now`.execute(db)
  const [state] = rows
  if (!state) throw new Error('The database did not describe itself.')
  return { ...state, ...(await migrationState(db)) }
}
