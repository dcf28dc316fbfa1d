import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { sweepInTurn } from '../../../src/runtime/maintenance/sweeping.ts'
import { aPull, articlesOf } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { ctx, host } = service
const DAY = 24 * 60 * 60_000
const notAborted = new AbortController().signal

async function count(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)}`.execute(
    ctx.db,
  )
  return rows[0]?.count ?? 0
}

test('deletes expired rows and nothing else', async () => {
  const { generated } = articlesOf(service)
  const token = await service.signedUp('reader')
  const leaver = await service.signedUp('leaver')
  const { id } = await generated(aPull(service, {}, { private: true, members: ['reader'] }), token, { language: 'ja' })
  await service.call('listPullRequests', { token, params: { owner: 'acme', repo: host.repositories[0]?.name ?? '' } })
  await openBrowser(service.url).submit('/sign-in', { token: host.token('reader') })
  await service.call('logOut', { token: leaver })
  const filled = ['sessions', 'repository_access', 'etags', 'article_jobs', 'article_quotas', 'pull_request_lists']
  for (const table of filled) expect(await count(table), table).toBeGreaterThan(0)
  const versions = Array.from({ length: 15 }, (_, i) => i + 1)
  await sql`
    insert into article_versions (article_id, language, version, private, head_sha, kind, prompt_version, content, generated_at)
    select ${id}, language, version, true, 'a', 'outline', '1', '{}', now()
    from unnest(${versions}::integer[]) version, unnest(array['ja', 'en']) language
    where language = 'ja' or version <= 12`.execute(ctx.db)
  await sql`
    insert into model_spending
    select gen_random_uuid(), (${ctx.now()}::timestamptz)::date - age, 'm', 1, null, false, true, 1, 1, 0, 0, 0, null
    from unnest(array[399, 402]) age`.execute(ctx.db)

  await sweepInTurn(ctx, notAborted)
  for (const table of filled) expect(await count(table), table).toBeGreaterThan(0)
  expect(await count('model_spending')).toBe(1)
  const { rows } =
    await sql`select min(version), max(version) from article_versions group by language order by 1`.execute(ctx.db)
  expect(rows).toEqual([
    { min: 3, max: 12 },
    { min: 6, max: 15 },
  ])

  service.advance(2 * DAY)
  await sweepInTurn(ctx, notAborted)
  expect(await count('repository_access')).toBe(0)
  expect(await count('sessions')).toBeGreaterThan(0)
  expect(await count('etags')).toBeGreaterThan(0)
  expect(await count('pull_request_lists')).toBeGreaterThan(0)
  await sql`update etags set seen_at = ${new Date(ctx.now().getTime() - 31 * DAY)}`.execute(ctx.db)
  service.advance(DAY)
  await sweepInTurn(ctx, notAborted)
  expect(await count('etags')).toBe(0)

  service.advance(31 * DAY)
  await sweepInTurn(ctx, notAborted)
  for (const table of ['sessions', 'pull_request_lists', 'article_jobs', 'article_quotas'])
    expect(await count(table), table).toBe(0)
  expect(await count('article_texts')).toBe(1)
  expect((await service.call('getCurrentUser', { token })).status).toBe(200)
  expect((await service.call('getCurrentUser', { token: leaver })).status).toBe(401)
})

test('sweeps at most once in ten minutes', async () => {
  const expired = () =>
    sql`insert into leases (name, holder, until) values ('old', gen_random_uuid(), ${new Date(0)}) on conflict do nothing`.execute(
      ctx.db,
    )
  service.advance(DAY)
  await sweepInTurn(ctx, notAborted)
  await expired()
  await sweepInTurn(ctx, notAborted)
  expect(await count('leases')).toBe(2)
  service.advance(11 * 60_000)
  await sweepInTurn(ctx, notAborted)
  expect(await count('leases')).toBe(1)
})

test('a sweep processes more than one batch, and marks jobs without progress for a day as failed', async () => {
  const at = new Date(0)
  await sql`
    insert into leases (name, holder, until)
    select 'old ' || n, gen_random_uuid(), ${at} from generate_series(1, 2500) n`.execute(ctx.db)
  const silent = Array.from({ length: 1500 }, () => ctx.now())
  const started = [...silent, new Date(ctx.now().getTime() + DAY / 2)]
  await sql`
    insert into article_jobs
      (id, host_repo_id, number, head_sha, language, kind, prompt_version, forced, status, stage, progress, attempt,
       created_at, updated_at)
    select gen_random_uuid(), host_repo_id, number, 'a', 'x' || place, 'outline', '1', false, 'queued', 'queued', 0, 0,
      at, at
    from (select host_repo_id, number from pull_requests limit 1) pull,
      unnest(${started}::timestamptz[]) with ordinality job(at, place)`.execute(ctx.db)
  service.advance(DAY + 60_000)
  await sweepInTurn(ctx, notAborted)
  expect(await count('leases')).toBe(1)
  const { rows } = await sql`
    select status, error_code, count(*)::integer from article_jobs group by 1, 2 order by 1`.execute(ctx.db)
  expect(rows).toEqual([
    { status: 'failed', error_code: 'GENERATION_FAILED', count: 1500 },
    { status: 'queued', error_code: null, count: 1 },
  ])
})
