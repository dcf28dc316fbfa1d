import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { installQueue } from '../jobs/queue.ts'
import * as accounts from '../migrations/0001_accounts.ts'
import * as repositories from '../migrations/0002_repositories.ts'
import * as pullRequests from '../migrations/0003_pull_requests.ts'
import * as articles from '../migrations/0004_articles.ts'
import * as likes from '../migrations/0005_likes.ts'
import * as search from '../migrations/0006_search.ts'
import * as merges from '../migrations/0007_merges.ts'
import * as administration from '../migrations/0008_administration.ts'
import type { Schema } from '../schema/schema.ts'
import { FIRST_MIGRATION_OF_0_1_0, UnsupportedDatabase } from './unsupported.ts'

export const migrations: Record<string, Migration> = {
  '0001_accounts': accounts,
  '0002_repositories': repositories,
  '0003_pull_requests': pullRequests,
  '0004_articles': articles,
  '0005_likes': likes,
  '0006_search': search,
  '0007_merges': merges,
  '0008_administration': administration,
}

/** Waiting for a table lock blocks every later query on that table, so waits are short and retried often. */
const LOCK_TIMEOUT_SECONDS = 2
const MAX_ATTEMPTS = 60
const RETRY_DELAY_MS = 1000
const LOCK_NOT_AVAILABLE_OR_DEADLOCK = ['55P03', '40P01']

/** Thrown if some migrations have not run yet. */
export class OlderDatabase extends Error {
  constructor() {
    super('The database schema is older than this version: run npm run migrate (in the image: node .build/migrate.js).')
  }
}

/** Called before the first migration, with how many are pending. */
export type OnMigrating = (pending: number) => void

/** Migrates the schema to this version. Safe on many nodes at once: a database lock lets one node run at a time. */
export async function migrateToLatest(db: Kysely<Schema>, onMigrating: OnMigrating = () => {}): Promise<string[]> {
  const pending = await requireKnownSchema(db)
  if (pending > 0) onMigrating(pending)
  const applied = await migrateWithRetries(db)
  await installQueue(db)
  return applied
}

export const NEWER_REMEDY = 'Start that version, or restore the backup from before the upgrade'

export function belongsToNewer(unknown: string[]): string {
  return `The database belongs to a newer version of Pullpress: ${unknown.join(', ')} has run`
}

/** Thrown if the schema is that of a later version, which this version cannot run on. */
export class NewerDatabase extends Error {
  constructor(unknown: string[]) {
    super(`${belongsToNewer(unknown)}. ${NEWER_REMEDY}.`)
  }
}

/** For programs that do not migrate: throws if the schema is not that of this version. */
export async function requireCurrentSchema(db: Kysely<Schema>): Promise<void> {
  if ((await requireKnownSchema(db)) > 0) throw new OlderDatabase()
}

/** Throws if no migration leads from this schema to that of this version. Returns how many migrations are pending. */
export async function requireKnownSchema(db: Kysely<Schema>): Promise<number> {
  const { pending, unknown, isOf010 } = await migrationState(db)
  if (isOf010) throw new UnsupportedDatabase()
  if (unknown.length > 0) throw new NewerDatabase(unknown)
  return pending
}

async function migrateWithRetries(db: Kysely<Schema>): Promise<string[]> {
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
  /** The migrations that have run but that this version does not know. */
  unknown: string[]
  /** Whether version 0.1.0 made the database. Its migrations count as unknown. */
  isOf010: boolean
}

/** Which migrations have run. Also works for a database without the service's tables. */
export async function migrationState(db: Kysely<Schema>): Promise<MigrationState> {
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db)
  if (tables.length === 0) return { pending: pendingBeside([]), unknown: [], isOf010: false }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
  return { pending: pendingBeside(rows), unknown, isOf010: unknown.includes(FIRST_MIGRATION_OF_0_1_0) }
}

function pendingBeside(rows: { name: string }[]): number {
  const applied = new Set(rows.map(({ name }) => name))
  return Object.keys(migrations).filter((name) => !applied.has(name)).length
}

function migrator(db: Kysely<Schema>): Migrator {
  const entries = Object.entries(migrations).map(([name, migration]) => [name, withLockTimeout(migration)])
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(entries) } })
}
