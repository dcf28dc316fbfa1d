import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export const POSTGRES_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
/** A pooler in transaction mode in front of Postgres, without prepared statements. */
const POOLER_URL = process.env['TEST_POOLER_URL']
const onPostgres = process.env['TEST_DATABASE'] === 'postgres'

export interface TestDatabase {
  env: Record<string, string>
  drop(): Promise<void>
}

/** A copy of the migrated template database for one test. */
export async function createTestDatabase(template: string): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pullpress-'))
  const removeFolder = () => rm(dataDir, { recursive: true, force: true })
  if (!onPostgres) {
    // The synchronous copy is several times faster for about a thousand files.
    cpSync(template, dataDir, { recursive: true })
    return { env: { DATA_DIR: dataDir }, drop: removeFolder }
  }
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await asAdmin([`create database ${name} template ${template}`, `alter database ${name} set synchronous_commit = off`])
  return {
    env: {
      ...(POOLER_URL
        ? { DATABASE_URL: at(POOLER_URL, name), MIGRATIONS_DATABASE_URL: databaseUrl(name), PREPARED_STATEMENTS: 'off' }
        : { DATABASE_URL: databaseUrl(name) }),
      DATA_DIR: dataDir,
      TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    },
    // Does not wait, because a drop takes a checkpoint. Databases that are left over are dropped at the end of the run.
    drop: async () => {
      void asAdmin(`drop database ${name} with (force)`).catch(() => {})
      await removeFolder()
    },
  }
}

export function databaseUrl(name: string): string {
  return at(POSTGRES_URL, name)
}

function at(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Returns the rows of the last statement. */
export async function asAdmin(statements: string | string[], connectionString = POSTGRES_URL): Promise<object[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    let rows: object[] = []
    for (const statement of [statements].flat()) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
