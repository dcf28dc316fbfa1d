import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService, type WritingService } from '../../support/articles.ts'
import { type Behaviour, behaves, holding, promptOf } from '../../support/fakeModel.ts'
import { paramsOf } from '../../support/pulls.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')
const HOUR = 60 * 60_000

test('regeneration keeps the article id and the ten latest previous texts', async () => {
  const place = aPull(service)
  const { id, createdAt } = await generated(place, token)
  for (let i = 1; i <= 12; i++) {
    service.advance(HOUR + 1000)
    service.model.next(
      behaves.changed((good) => ({ ...good, aiGeneratedTitle: `${i}回目に書き直した記事の題名である` })),
    )
    const article = await generated(place, token, { force: true })
    expect([article.id, article.createdAt]).toEqual([id, createdAt])
    expect(article.contents.ja.aiGeneratedTitle).toBe(`${i}回目に書き直した記事の題名である`)
  }
  const kept = await service.ctx.db
    .selectFrom('article_versions')
    .where('article_id', '=', id)
    .orderBy('version')
    .select(['version', 'content'])
    .execute()
  expect(kept.map(({ version }) => version)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(JSON.parse(kept.at(-1)?.content ?? '').aiGeneratedTitle).toBe('11回目に書き直した記事の題名である')
})

test('a failed regeneration keeps the text and does not count towards the limit of one regeneration per hour', async () => {
  const place = aPull(service)
  const before = await generated(place, token)
  const no = behaves.says('no')
  service.model.next(no, no, no)
  const { status } = await articlesOf(service).generate(place, token, { force: true })
  expect(status).toBe(422)
  expect((await articlesOf(service).get(place, token)).body.data).toEqual(before)
  expect((await articlesOf(service).generate(place, token, { force: true })).status).toBe(200)
})

function push(place: string, head: string, more: object, { host } = service): void {
  const { pulls = [] } = host.repositories.find(({ name }) => place.includes(`/${name}#`)) ?? {}
  Object.assign(pulls[0] ?? {}, { head, ...more })
}

async function waitUntilQueued({ ctx }: WritingService, head: string): Promise<void> {
  const jobs = ctx.db.selectFrom('article_jobs').where('head_sha', '=', head).select('id')
  await expect.poll(() => jobs.execute()).toHaveLength(1)
}

async function waitUntilAllEnded({ ctx }: WritingService): Promise<void> {
  const jobs = ctx.db.selectFrom('article_jobs').where('status', 'in', ['queued', 'running']).select('id')
  await expect.poll(() => jobs.execute()).toEqual([])
}

test('a forced regeneration does not prevent another one for the next head commit', async () => {
  const place = aPull(service)
  await generated(place, token)
  await generated(place, token, { force: true })
  push(place, '1'.repeat(40), { updatedAt: '2026-05-05T00:00:00Z' })
  service.advance(61_000)
  await generated(place, token)
  await generated(place, token, { force: true })
})

test('requests during a running job start no further job', async () => {
  for (let round = 0; round < 4; round++) {
    const place = aPull(service)
    await service.call('ingestPullRequest', { token, params: paramsOf(place) })
    service.model.next(behaves.slow(60))
    const modelRequests = await service.model.during(() =>
      Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          await sleep(i * 8)
          return generated(place, token)
        }),
      ),
    )
    expect(modelRequests.length).toBe(1)
  }
})

test('a push while a job is queued leads to one text, not two', async () => {
  const place = aPull(service)
  const ask = () => articlesOf(service).generate(place, token, undefined, { prefer: 'respond-async' })
  await service.call('ingestPullRequest', { token, params: paramsOf(place) })
  const otherPulls = Array.from({ length: 4 }, () => aPull(service))
  const { held, release } = holding()
  service.model.next(...otherPulls.map(() => held))
  for (const other of otherPulls)
    await articlesOf(service).generate(other, token, undefined, { prefer: 'respond-async' })
  const modelRequests = await service.model.during(async () => {
    await ask()
    push(place, '2'.repeat(40), { updatedAt: '2026-06-06T00:00:00Z' })
    service.advance(61_000)
    const writing = generated(place, token)
    await waitUntilQueued(service, '2'.repeat(40))
    release()
    expect((await writing).contents.ja.headSha).toBe('2'.repeat(40))
    await waitUntilAllEnded(service)
  })
  const about = `${place.split('#')[0]}/pull/1\n`
  expect(modelRequests.filter((request) => promptOf(request).includes(about))).toHaveLength(1)
})

test.each([
  ['leads to one text, not two', false],
  ['is covered by the second job if the first fails', true],
])('a push whose job starts while the previous job is running %s', async (_, isBad) => {
  const two = await startWritingService({ ARTICLES_AT_ONCE: '2' })
  const reader = await two.signedUp('reader')
  const [place, ...otherPulls] = [aPull(two), aPull(two), aPull(two)]
  const ask = (place: string) => articlesOf(two).generate(place, reader, undefined, { prefer: 'respond-async' })
  const [first, second, third] = [holding(), holding(), holding()]
  const bad: Behaviour = async (...about) => {
    await third.released
    behaves.says('no')(...about)
  }
  two.model.next(first.held, second.held, ...(isBad ? [bad, bad] : [third.held]))
  for (const other of otherPulls) await ask(other)
  await expect.poll(() => two.model.requests.length).toBe(2)
  await ask(place)
  push(place, '5'.repeat(40), { updatedAt: '2026-09-09T00:00:00Z' }, two)
  two.advance(61_000)
  await ask(place)
  first.release()
  await expect.poll(() => two.model.requests.length).toBe(3)
  second.release()
  const queued = two.ctx.db.selectFrom('article_jobs').where('status', '=', 'queued').select('id')
  await expect.poll(() => queued.execute()).toEqual([])
  await sleep(500)
  third.release()
  await waitUntilAllEnded(two)
  expect(two.model.requests).toHaveLength(isBad ? 5 : 3)
  const { contents } = await articlesOf(two).generated(place, reader)
  expect(contents.ja.headSha).toBe('5'.repeat(40))
  await two.close()
})

test('on a node that runs one job at a time, a job does not wait for a newer one that is queued behind it', async () => {
  const narrow = await startWritingService({ ARTICLES_AT_ONCE: '1' })
  const reader = await narrow.signedUp('reader')
  const { generate } = articlesOf(narrow)
  const [otherPulls, place] = [aPull(narrow), aPull(narrow)]
  const { held, release } = holding()
  narrow.model.next(held)
  await generate(otherPulls, reader, undefined, { prefer: 'respond-async' })
  await generate(place, reader, undefined, { prefer: 'respond-async' })
  push(place, '4'.repeat(40), { updatedAt: '2026-08-08T00:00:00Z' }, narrow)
  narrow.advance(61_000)
  const writing = generate(place, reader)
  await waitUntilQueued(narrow, '4'.repeat(40))
  release()
  const { status, body } = await writing
  expect([status, body.data.contents?.ja.headSha]).toEqual([200, '4'.repeat(40)])
  const about = `${place.split('#')[0]}/pull/1\n`
  expect(narrow.model.requests.filter((request) => promptOf(request).includes(about))).toHaveLength(1)
  await narrow.close()
})

test('restores the stored text without a model call when the pull request returns to an earlier head commit', async () => {
  const place = aPull(service, { head: 'a'.repeat(40), updatedAt: '2026-01-01T00:00:00Z' })
  const { contents } = await generated(place, token)
  push(place, 'b'.repeat(40), { updatedAt: '2026-01-02T00:00:00Z' })
  service.advance(61_000)
  await generated(place, token)
  push(place, 'a'.repeat(40), { updatedAt: '2026-01-03T00:00:00Z' })
  service.advance(61_000)
  const { db } = service.ctx
  const spent = () => db.selectFrom('article_quotas').selectAll().execute()
  const before = await spent()
  // Restoring must also work while the circuit breaker is open.
  const later = new Date(service.ctx.now().getTime() + HOUR)
  await db.insertInto('breakers').values({ name: 'model', failures: 3, open_until: later, trial: null }).execute()
  const modelRequests = await service.model.during(async () => {
    expect((await generated(place, token)).contents).toEqual(contents)
  })
  expect([modelRequests, await spent()]).toEqual([[], before])
  await db.deleteFrom('breakers').execute()
  expect(await service.model.during(() => generated(place, token, { force: true }))).toHaveLength(1)
})

test('does not restore a text that was written while the repository was private', async () => {
  const place = aPull(service, { head: 'c'.repeat(40), updatedAt: '2026-01-01T00:00:00Z' })
  const { id } = await generated(place, token)
  push(place, 'd'.repeat(40), { updatedAt: '2026-01-02T00:00:00Z' })
  service.advance(61_000)
  await generated(place, token)
  push(place, 'c'.repeat(40), { updatedAt: '2026-01-03T00:00:00Z' })
  service.advance(61_000)
  await service.ctx.db.updateTable('article_versions').set({ private: true }).where('article_id', '=', id).execute()
  expect(await service.model.during(() => generated(place, token))).toHaveLength(1)
})

test('a job expires only after the time that all calls to a slow model may take', async () => {
  const slow = await startWritingService({ MODEL_SECONDS_PER_CALL: '600' })
  await articlesOf(slow).generated(aPull(slow), await slow.signedUp('reader'))
  const { rows } = await sql<{ expire_seconds: number }>`select expire_seconds from pgboss.job`.execute(slow.ctx.db)
  expect(rows.map((row) => row.expire_seconds > 12 * 600)).toEqual([true])
  await slow.close()
})

test('other requests do not fail while the model is rate-limited for a short time', async () => {
  service.model.next(behaves.status(429, { 'retry-after': '3' }))
  const before = service.model.requests.length
  const first = generated(aPull(service), token)
  await expect.poll(() => service.model.requests.length).toBe(before + 1)
  await sleep(200)
  await generated(aPull(service), token)
  await first
})
