import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import * as accountsAndFavorites from './migrations/0001_accounts_and_favorites.ts'
import * as pullRequests from './migrations/0002_pull_requests.ts'
import * as articles from './migrations/0003_articles.ts'
import * as likes from './migrations/0004_likes.ts'
import * as reader from './migrations/0005_reader.ts'
import * as browserSessions from './migrations/0006_browser_sessions.ts'
import * as markup from './migrations/0007_markup.ts'
import * as sweeping from './migrations/0008_sweeping.ts'
import { installQueue } from './queue.ts'
import type { Schema } from './schema.ts'

const migrations: Record<string, Migration> = {
  '0001_accounts_and_favorites': accountsAndFavorites,
  '0002_pull_requests': pullRequests,
  '0003_articles': articles,
  '0004_likes': likes,
  '0005_reader': reader,
  '0006_browser_sessions': browserSessions,
  '0007_markup': markup,
  '0008_sweeping': sweeping,
}

/** Brings the schema up to this version. Safe on many nodes at once: a lock in the database lets one go first. */
export async function migrateToLatest(db: Kysely<Schema>): Promise<string[]> {
  const { error, results } = await migrator(db).migrateToLatest()
  if (error) throw error
  await installQueue(db)
  return (results ?? []).map((result) => result.migrationName)
}

export async function isMigrated(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const applied = new Set(rows.map((row) => row.name))
  return Object.keys(migrations).every((name) => applied.has(name))
}

function migrator(db: Kysely<Schema>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } })
}
