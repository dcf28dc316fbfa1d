import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, inject, test } from 'vitest'
import { migrations } from '../../src/db/engine/migrate.ts'
import { type Database, openDatabase } from '../../src/db/engine/open.ts'
import { Secret } from '../../src/lib/secret.ts'
import { asAdmin, createTestDatabase, databaseUrl } from '../support/database.ts'
import { hold } from '../support/hold.ts'
import { defaultMain, startProcess } from '../support/process.ts'

test('applies each migration once when twenty nodes start at the same time', async () => {
  const name = `pullpress_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name}`)
  const nodes: Database[] = await Promise.all(
    Array.from({ length: 20 }, () =>
      openDatabase({ databaseUrl: new Secret(databaseUrl(name)), dataDir: '', onConnectionError: () => {} }),
    ),
  )
  const applied = await Promise.all(nodes.map((node) => node.migrate()))
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(
    nodes[0]?.db as Database['db'],
  )
  expect(applied.flat().sort()).toEqual(rows.map((row) => row.name).sort())
  expect(rows.length).toBeGreaterThan(0)
  await Promise.all(nodes.map((node) => node.close()))
  await asAdmin(`drop database ${name}`)
})

test('a node waits for the migration lock for longer than the statement timeout', async () => {
  const name = `pullpress_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name}`)
  const options = { databaseUrl: new Secret(databaseUrl(name)), dataDir: '', onConnectionError: () => {} }
  const [holder, waiter] = await Promise.all([openDatabase(options), openDatabase(options)])
  const kyselysLock = sql.raw('3853314791062309107')
  const release = await hold(holder.db, async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    await sql`select pg_advisory_xact_lock(${kyselysLock})`.execute(trx)
  })
  const migrating = waiter.migrate()
  await new Promise((resolve) => setTimeout(resolve, 6000))
  await release()
  expect(await migrating).toContain('0001_accounts')
  await Promise.all([holder.close(), waiter.close()])
  await asAdmin(`drop database ${name}`)
})

test('does not block other queries while a migration waits for a lock', async () => {
  const name = `pullpress_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name}`)
  const options = { databaseUrl: new Secret(databaseUrl(name)), dataDir: '', onConnectionError: () => {} }
  const [node, previous] = await Promise.all([openDatabase(options), openDatabase(options)])
  const provider = { getMigrations: async () => migrations }
  await new Migrator({ db: node.db, provider }).migrateTo('0004_articles')
  const writes = () => hold(previous.db, (trx) => sql`lock table repositories in row exclusive mode`.execute(trx))

  const release = await writes()
  const migrating = node.migrate()
  await expect
    .poll(
      async () =>
        (
          await sql`select from pg_locks
            where not granted and relation = 'repositories'::regclass
              and database = (select oid from pg_database where datname = current_database())`.execute(previous.db)
        ).rows.length,
    )
    .toBe(1)
  // Throws unless the lock is granted within lock_timeout.
  const releaseSecond = await writes()
  await releaseSecond()
  await release()
  expect((await migrating)[0]).toBe('0005_likes')
  await Promise.all([node.close(), previous.close()])
  await asAdmin(`drop database ${name}`)
})

test('does not start on the database of a newer version, and says what to do', async () => {
  const database = await createTestDatabase(inject('template'))
  const url = database.env['DATABASE_URL']
  await asAdmin("insert into kysely_migration values ('9999_later', '2099-01-01T00:00:00Z')", url)
  const { exitCode, output } = await startProcess(database.env, { expectExit: true })
  expect([exitCode, output().trim().split('\n')]).toEqual([
    1,
    [
      expect.stringMatching(
        /newer version of Pullpress: 9999_later has run\. Start that version, or restore the backup/,
      ),
    ],
  ])
  await database.drop()
})

test('refuses a database of version 0.1.0 without changing it', async () => {
  const database = await createTestDatabase(inject('template'))
  const url = database.env['DATABASE_URL'] ?? ''
  await asAdmin('delete from kysely_migration', url)
  await asAdmin("insert into kysely_migration values ('0001_accounts_and_favorites', '2026-01-01T00:00:00Z')", url)
  const contents = () =>
    asAdmin(
      `select oid, relname, xmin::text, (select json_agg(migrations) from kysely_migration migrations) as migrations,
        (select json_agg(setconfig) from pg_db_role_setting
          where setdatabase = (select oid from pg_database where datname = current_database())) as settings
      from pg_class where relnamespace = 'public'::regnamespace or relname = 'queue' order by oid`,
      url,
    )
  const before = await contents()
  // With MIGRATIONS_DATABASE_URL, as behind a pooler, a migration would also store settings of the role.
  const env = { ...database.env, MIGRATIONS_DATABASE_URL: url }
  for (const program of ['main', 'migrate', 'admin']) {
    const { exitCode, output } = await startProcess(env, {
      ...{ expectExit: true, main: join(dirname(defaultMain), `${program}.js`) },
      args: program === 'admin' ? ['users'] : [],
    })
    expect([program, exitCode, output()]).toEqual([
      ...[program, 1],
      'The database was made by Pullpress 0.1.0 and cannot be upgraded. Nothing in it was changed. Set DATABASE_URL to a new database.\n',
    ])
  }
  expect(await contents()).toEqual(before)
  await database.drop()
})
