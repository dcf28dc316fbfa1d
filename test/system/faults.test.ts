import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { asAdmin } from '../support/database.ts'
import { hold } from '../support/hold.ts'
import { startService } from '../support/service.ts'

const service = await startService({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
afterAll(() => service.close())

const {
  rows: [database],
} = await sql<{ name: string }>`select current_database() as name`.execute(service.ctx.db)
const token = await service.signedUp('hanako')
const change = () => service.call('updateCurrentUser', { token, body: { language: 'en' } })

test('if a row is locked, returns 503 soon after the lock timeout, then recovers', async () => {
  const release = await hold(service.ctx.db, (trx) => trx.selectFrom('users').selectAll().forUpdate().execute())
  const started = performance.now()
  const { status, body } = await change()
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(performance.now() - started).toBeLessThan(7000)
  await release()
  expect((await change()).status).toBe(200)
})

test('returns 200 or 503 when Postgres terminates connections, and serves the next request', async () => {
  for (let round = 0; round < 3; round++) {
    const working = Promise.all(Array.from({ length: 20 }, change))
    await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database?.name}'`)
    for (const { status } of await working) expect([200, 503]).toContain(status)
    expect((await change()).status).toBe(200)
  }
})

test('returns 503 while every connection is in use', async () => {
  const releases = await Promise.all(
    Array.from({ length: 10 }, () =>
      hold(service.ctx.db, async (trx) => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
      }),
    ),
  )
  const started = performance.now()
  const readiness = await service.call('getReadiness')
  expect(performance.now() - started).toBeLessThan(5000)
  expect(readiness.body.error.details.checks.database).toEqual({ state: 'down' })
  expect((await change()).status).toBe(503)
  expect(performance.now() - started).toBeLessThan(9000)
  expect((await service.call('getHealth')).status).toBe(200)
  await Promise.all(releases.map((release) => release()))
  expect((await change()).status).toBe(200)
})

test('leaves database connections for other requests while searches wait for a table lock', async () => {
  const release = await hold(service.ctx.db, async (trx) => {
    await sql`lock table article_search in access exclusive mode`.execute(trx)
  })
  const searches = Array.from({ length: 20 }, (_, i) =>
    service.call('listArticles', { query: { q: 'cache' }, headers: { 'x-forwarded-for': `198.51.100.${i}` } }),
  )
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = '${database?.name}'`
  await expect.poll(async () => (await asAdmin(waiting)).length).toBe(3)
  expect((await change()).status).toBe(200)
  expect((await asAdmin(waiting)).length).toBe(3)
  await release()
  const statuses = (await Promise.all(searches)).map(({ status }) => status)
  // Searches that waited too long for a slot are refused.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3)
  for (const status of statuses) expect([200, 503]).toContain(status)
})

test('no connection stays in an aborted transaction when queue maintenance fails halfway', async () => {
  const maintenance = `from pg_stat_activity where datname = '${database?.name}' and query like '%BEGIN;%' and query not like '%pg_stat%'`
  const release = await hold(service.ctx.db, async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    await sql`lock table pgboss.job in access exclusive mode`.execute(trx)
  })
  const cancel = () => asAdmin(`select pg_cancel_backend(pid) ${maintenance} and wait_event_type = 'Lock'`)
  await expect.poll(async () => (await cancel()).length, { timeout: 30_000, interval: 100 }).toBeGreaterThan(0)
  await release()
  for (let i = 0; i < 20; i++) expect((await change()).status).toBe(200)
  expect(
    await asAdmin(`select state from pg_stat_activity where datname = '${database?.name}' and state like '%aborted%'`),
  ).toEqual([])
}, 60_000)
