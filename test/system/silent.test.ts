import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { asAdmin, createTestDatabase } from '../support/database.ts'
import { openLink } from '../support/link.ts'
import { startProcess } from '../support/process.ts'

const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
const url = new URL(database.env['DATABASE_URL'] ?? '')
const link = await openLink(Number(url.port || 5432))
afterAll(async () => {
  link.close()
  await database.drop()
  await host.close()
})

// The pooler used in tests may not support prepared statements.
const prepareModes = database.env['PREPARED_STATEMENTS'] === 'off' ? ['off'] : ['on', 'off']

test.each(prepareModes)('discards connections that stop responding (prepared statements %s)', async (prepare) => {
  const through = new URL(url)
  through.port = String(link.port)
  const env = { ...database.env, DATABASE_URL: through.href, PREPARED_STATEMENTS: prepare, CODE_HOST_API_URL: host.url }
  const server = await startProcess(env)
  const headers = { authorization: `Bearer ${host.token(`reader-${prepare}`)}` }
  const ask = async (path: string, method = 'GET', body?: object) => {
    const sent = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    return (await fetch(`${server.url}${path}`, { method, headers, ...sent })).status
  }
  expect(await ask('/auth/signup', 'POST')).toBe(201)
  const many = () => Promise.all(Array.from({ length: 20 }, () => ask('/users/me')))
  expect(new Set(await many())).toEqual(new Set([200]))

  // One connection is in the middle of a transaction.
  const holder = new pg.Client({ connectionString: database.env['MIGRATIONS_DATABASE_URL'] ?? url.href })
  await holder.connect()
  await holder.query('set idle_in_transaction_session_timeout = 0')
  await holder.query('begin')
  await holder.query('select from users for update')
  const changing = ask('/auth/token/exchange', 'POST', { hostAccessToken: host.token(`reader-${prepare}`) })
  const waits = `select from pg_stat_activity where datname = '${url.pathname.slice(1)}' and wait_event_type = 'Lock'`
  await expect.poll(async () => (await asAdmin(waits)).length).toBe(1)

  link.silence()
  expect(new Set([...(await many()), await changing])).toEqual(new Set([503]))
  await holder.query('rollback')
  await holder.end()
  link.restore()
  const restoredAt = performance.now()
  await expect.poll(() => ask('/users/me')).toBe(200)
  expect(performance.now() - restoredAt).toBeLessThan(5000)
  expect(new Set(await many())).toEqual(new Set([200]))
  expect(performance.now() - restoredAt).toBeLessThan(5000)
  expect(await server.kill('SIGTERM')).toBe(0)
})
