import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('the service is ready when the database answers and is migrated', async () => {
  const { status, body } = await service.call('getReadiness')
  expect(status).toBe(200)
  expect(body.data.checks).toEqual({
    database: { state: 'up' },
    migrations: { state: 'up' },
    queue: { state: 'up' },
  })
})

test('the service is not ready while a migration is missing', async () => {
  const name = await sql<{ name: string }>`delete from kysely_migration returning name, timestamp`.execute(
    service.ctx.db,
  )
  const { status, body } = await service.call('getReadiness')
  expect(status).toBe(503)
  expect(body.error.details.checks).toMatchObject({ database: { state: 'up' }, migrations: { state: 'down' } })
  for (const row of name.rows)
    await sql`insert into kysely_migration (name, timestamp) values (${row.name}, 'again')`.execute(service.ctx.db)
  expect((await service.call('getReadiness')).status).toBe(200)
})

test('the service is not ready while its job queue is missing', async () => {
  await sql`update pgboss.queue set name = 'elsewhere' where name = 'articles'`.execute(service.ctx.db)
  const { status, body } = await service.call('getReadiness')
  await sql`update pgboss.queue set name = 'articles' where name = 'elsewhere'`.execute(service.ctx.db)
  expect([status, body.error.details.checks.queue]).toEqual([503, { state: 'down' }])
})

test('a draining node is not ready, which is logged as a warning without an error', async () => {
  const before = service.logged.length
  service.ctx.jobs.watch.endAllWaits()
  const { status, body } = await service.call('getReadiness')
  expect([status, body.message]).toEqual([503, 'Shutting down.'])
  const lines = service.logged.slice(before).map((line) => JSON.parse(line))
  expect(lines.filter(({ msg }) => msg === 'Shutting down.')).toMatchObject([
    { level: 40, code: 'SERVICE_UNAVAILABLE' },
  ])
  expect(lines.filter(({ err }) => err)).toEqual([])
})
