import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('what would only wait is refused at once, and whether we are well is told all the same', async () => {
  const token = await service.signedUp('reader')
  const ask = (path: string) => fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const holder = new pg.Client({ connectionString: service.database.env['DATABASE_URL'] })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table sessions in access exclusive mode')
  const waiting = Array.from({ length: 600 }, () => ask('/users/me').then(({ status }) => status))
  await expect.poll(() => service.ctx.connections().awaited).toBeGreaterThan(500)

  const started = performance.now()
  const refused = await ask('/users/me')
  expect(performance.now() - started).toBeLessThan(1000)
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({
    success: false,
    error: { code: 'SERVICE_UNAVAILABLE', requestId: refused.headers.get('x-request-id') },
  })
  expect((await ask('/healthz')).status).toBe(200)

  await holder.query('rollback')
  await holder.end()
  const statuses = await Promise.all(waiting)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(400)
  expect((await ask('/users/me')).status).toBe(200)
})
