import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { countPending } from './migrate.ts'
import { MIN_SERVER_VERSION } from './open.ts'

export interface DatabaseState {
  version: string
  isSupported: boolean
  role: string
  /** Whether the role may create what migrations create. */
  canCreate: boolean
  /** Migrations that have not run yet. */
  pending: number
  now: Date
}

export async function inspectDatabase(db: Kysely<Schema>): Promise<DatabaseState> {
  const { rows } = await sql<Omit<DatabaseState, 'pending'>>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int >= ${sql.lit(MIN_SERVER_VERSION)} as "isSupported",
      current_user as role,
      has_schema_privilege(current_schema(), 'create') and has_database_privilege(current_database(), 'create')
        as "canCreate",
      clock_timestamp() as now`.execute(db)
  const [state] = rows
  if (!state) throw new Error('The database did not describe itself.')
  return { ...state, pending: await countPending(db) }
}
