import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/engine/open.ts'
import { Secret } from '../../src/lib/secret.ts'
import { createClient } from '../support/client.ts'
import { asAdmin, databaseUrl } from '../support/database.ts'
import { hold } from '../support/hold.ts'
import { freePort, startProcess } from '../support/process.ts'

const KYSELYS_LOCK = sql.raw('3853314791062309107')

const name = `pullpress_${randomBytes(6).toString('hex')}`
await asAdmin(`create database ${name}`)
const options = { databaseUrl: new Secret(databaseUrl(name)), dataDir: '', onConnectionError: () => {} }
const database = await openDatabase(options)
const env = {
  DATABASE_URL: databaseUrl(name),
  TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
}
afterAll(async () => {
  await database.close()
  await asAdmin(`drop database ${name}`)
})

test('does not migrate the database if the port is in use', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  const server = await startProcess({ ...env, PORT: String(port) }, { expectExit: true })
  expect(server.output()).toContain('see PORT and ADDRESS')
  const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(database.db)
  expect(rows).toEqual([])
  other.close()
})

test('is alive but not ready until the database is migrated', async () => {
  const release = await hold(database.db, async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    await sql`select pg_advisory_xact_lock(${KYSELYS_LOCK})`.execute(trx)
  })
  const server = await startProcess({ ...env, MODEL_TOKEN_PER_DAY: 'sesame' }, { waitsUntilReady: false })
  // Validates each response against the contract.
  const client = createClient(server.url)
  await expect.poll(async () => fetch(`${server.url}/healthz`).catch(() => undefined)).toBeDefined()
  expect((await client.call('getHealth')).status).toBe(200)
  const readiness = await client.call('getReadiness')
  expect([readiness.status, readiness.body.error.details.checks.migrations]).toEqual([503, { state: 'down' }])
  expect((await client.call('getArticleRanking')).status).toBe(503)
  expect((await fetch(`${server.url}/read`)).status).toBe(503)
  await expect.poll(server.output).toContain('Migrating the database.')
  expect(server.output()).not.toContain('Migration applied.')

  await release()
  await server.ready
  expect((await client.call('getReadiness')).status).toBe(200)
  expect((await client.call('getArticleRanking')).status).toBe(200)
  expect(await server.kill('SIGTERM')).toBe(0)
  expect(server.output()).toContain(`Pullpress is ready at ${server.url}/read`)
  expect(server.output()).toContain('MODEL_TOKEN_PER_DAY is not a variable of Pullpress')
  expect(server.output()).not.toContain('sesame')
})
