import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { aPull } from '../../support/articles.ts'
import { pullsOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const { ingested } = pullsOf(service)
const { host, ctx } = service

test('if a pull request is stored in another format, fetches all of it again, but only once', async () => {
  const token = await service.signedUp('hanako')
  const comments = [{ author: 'rin', body: 'Nice', at: '2026-02-02T00:00:00Z' }]
  const place = aPull(service, { labels: ['bug'], comments })
  const { fetchedAt: _, ...pull } = await ingested(place, token)
  for (const table of ['pull_requests', 'etags'])
    await sql`update ${sql.table(table)} set version = regexp_replace(version, '^\\d+', '1')`.execute(ctx.db)
  const first = await host.during(async () => expect(await ingested(place, token)).toMatchObject(pull))
  expect([first.to(/\/files$/), first.to(/\/commits$/), first.to(/issues\/1\/comments$/)]).toEqual([1, 1, 1])
  expect(await host.during(() => ingested(place, token))).toMatchObject({ count: 1, free: 1 })
})
