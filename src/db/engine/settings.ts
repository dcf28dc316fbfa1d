import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/**
 * Timeouts that Postgres enforces. `jit` is off because statements are short: compiling one may take a hundred times as
 * long as running it.
 */
export const SETTINGS = {
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
  jit: 'off',
}
export const NO_TIMEOUTS = { statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' }

export type Settings = Record<string, string>

/** An arbitrary advisory lock number of our own. */
const LOCK = 7_081_205

export function settingsOf(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ')
}

/** A query that applies the settings until the transaction ends. */
export function localSettingsOf(settings: Settings): string {
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`)
  return `select ${set.join(', ')}`
}

/**
 * Stores the settings as defaults of our role in this database. Behind a pooler they cannot be set per connection: it
 * shares connections between clients, and rejects startup parameters.
 */
export async function storeSettings(db: Kysely<Schema>, settings: Settings): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const { rows } = await sql<{ database: string; kept: string[] | null }>`
      select quote_ident(current_database()) as database, (
        select setconfig from pg_db_role_setting
        where setrole = (select oid from pg_roles where rolname = current_user)
          and setdatabase = (select oid from pg_database where datname = current_database())
      ) as kept`.execute(trx)
    const [{ database, kept } = { database: '', kept: null }] = rows
    for (const [name, value] of Object.entries(settings))
      if (!kept?.includes(`${name}=${value}`))
        await sql`alter role current_user in database ${sql.raw(database)} set ${sql.raw(name)} = ${sql.lit(value)}`.execute(
          trx,
        )
  })
}
