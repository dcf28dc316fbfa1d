import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { installQueue } from '../jobs/queue.ts'
import * as accountsAndFavorites from '../migrations/0001_accounts_and_favorites.ts'
import * as pullRequests from '../migrations/0002_pull_requests.ts'
import * as articles from '../migrations/0003_articles.ts'
import * as likes from '../migrations/0004_likes.ts'
import * as reader from '../migrations/0005_reader.ts'
import * as browserSessions from '../migrations/0006_browser_sessions.ts'
import * as markup from '../migrations/0007_markup.ts'
import * as sweeping from '../migrations/0008_sweeping.ts'
import * as versions from '../migrations/0009_versions.ts'
import * as lostClaims from '../migrations/0010_lost_claims.ts'
import * as newForm from '../migrations/0011_new_form.ts'
import * as leadOfText from '../migrations/0012_lead_of_text.ts'
import * as search from '../migrations/0013_search.ts'
import * as unread from '../migrations/0014_unread.ts'
import * as searchPeriods from '../migrations/0015_search_periods.ts'
import * as merges from '../migrations/0016_merges.ts'
import * as administration from '../migrations/0017_administration.ts'
import * as refreshTokens from '../migrations/0018_refresh_tokens.ts'
import * as modelTokens from '../migrations/0019_model_tokens.ts'
import * as forbiddenToToken from '../migrations/0020_forbidden_to_token.ts'
import type { Schema } from '../schema/schema.ts'

export const migrations: Record<string, Migration> = {
  '0001_accounts_and_favorites': accountsAndFavorites,
  '0002_pull_requests': pullRequests,
  '0003_articles': articles,
  '0004_likes': likes,
  '0005_reader': reader,
  '0006_browser_sessions': browserSessions,
  '0007_markup': markup,
  '0008_sweeping': sweeping,
  '0009_versions': versions,
  '0010_lost_claims': lostClaims,
  '0011_new_form': newForm,
  '0012_lead_of_text': leadOfText,
  '0013_search': search,
  '0014_unread': unread,
  '0015_search_periods': searchPeriods,
  '0016_merges': merges,
  '0017_administration': administration,
  '0018_refresh_tokens': refreshTokens,
  '0019_model_tokens': modelTokens,
  '0020_forbidden_to_token': forbiddenToToken,
}

/** Waiting for a table lock blocks every later query on that table, so waits are short and retried often. */
const LOCK_TIMEOUT_SECONDS = 2
const MAX_ATTEMPTS = 60
const RETRY_DELAY_MS = 1000
const LOCK_NOT_AVAILABLE_OR_DEADLOCK = ['55P03', '40P01']

/** Migrations have not run yet. */
export class OlderDatabase extends Error {
  constructor() {
    super('The database schema is older than this version: run npm run migrate (in the image: node .build/migrate.js).')
  }
}

/** Migrates the schema to this version. Safe on many nodes at once: a database lock lets one node run at a time. */
export async function migrateToLatest(db: Kysely<Schema>): Promise<string[]> {
  const applied = await migrateWithRetries(db)
  await installQueue(db)
  return applied
}

export const NEWER_REMEDY = 'Start that version, or restore the backup from before the upgrade'

export function belongsToNewer(unknown: string[]): string {
  return `The database belongs to a newer version of Pullpress: ${unknown.join(', ')} has run`
}

/** The schema is that of a later version, which this one cannot run on. */
export class NewerDatabase extends Error {
  constructor(unknown: string[]) {
    super(`${belongsToNewer(unknown)}. ${NEWER_REMEDY}.`)
  }
}

/** For programs that never migrate. */
export async function requireCurrentSchema(db: Kysely<Schema>): Promise<void> {
  const { pending, unknown } = await migrationState(db)
  if (unknown.length > 0) throw new NewerDatabase(unknown)
  if (pending > 0) throw new OlderDatabase()
}

async function migrateWithRetries(db: Kysely<Schema>): Promise<string[]> {
  const { unknown } = await migrationState(db)
  if (unknown.length > 0) throw new NewerDatabase(unknown)
  const applied: string[] = []
  for (let attempt = 1; ; ) {
    // One migration at a time, so that the locks of one are released before the next.
    const { error, results = [] } = await migrator(db).migrateUp()
    if (error) {
      const isRetryable = LOCK_NOT_AVAILABLE_OR_DEADLOCK.includes(String((error as { code?: unknown }).code))
      if (!isRetryable || attempt === MAX_ATTEMPTS) throw error
      attempt += 1
      await sleep(RETRY_DELAY_MS)
    } else {
      if (results.length === 0) return applied
      applied.push(...results.map((result) => result.migrationName))
    }
  }
}

function withLockTimeout({ up }: Migration): Migration {
  return {
    async up(db) {
      await sql`set local lock_timeout = ${sql.lit(`${LOCK_TIMEOUT_SECONDS}s`)}`.execute(db)
      await up(db)
    },
  }
}

export async function isMigrated(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return pendingBeside(rows) === 0
}

export interface MigrationState {
  /** How many migrations have not run yet. */
  pending: number
  /** Those that have run and that only a later version knows. */
  unknown: string[]
}

/** Also for a database without any table of ours. */
export async function migrationState(db: Kysely<Schema>): Promise<MigrationState> {
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db)
  if (tables.length === 0) return { pending: pendingBeside([]), unknown: [] }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
  return { pending: pendingBeside(rows), unknown }
}

function pendingBeside(rows: { name: string }[]): number {
  const applied = new Set(rows.map(({ name }) => name))
  return Object.keys(migrations).filter((name) => !applied.has(name)).length
}

function migrator(db: Kysely<Schema>): Migrator {
  const entries = Object.entries(migrations).map(([name, migration]) => [name, withLockTimeout(migration)])
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(entries) } })
}
