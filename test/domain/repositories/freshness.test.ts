import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Fault, faults } from '../../../scripts/fakeHost/faults.ts'
import { aPull, articlesOf } from '../../support/articles.ts'
import { likesOf } from '../../support/likes.ts'
import { paramsOf, pullsOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

/** These tests find the age, to the millisecond, at which each operation treats a visibility check as expired. */
const SECONDS = 1000
const MINUTES = 60 * SECONDS
/** A check in the background starts within this time, if it starts. */
const BACKGROUND_MS = 50
const issued = 'service-token-0123456789abcdef'
const service = await startService({ env: { CODE_HOST_TOKEN: issued } })
const { host, ctx } = service
host.admit(issued, 'service')
// Ages must be exact, so the clock stands still.
const now = new Date()
ctx.now = () => now
afterAll(() => service.close())
afterEach(() => host.heal())

const token = await service.signedUp('reader')
const ago = (age: number) => new Date(now.getTime() - age)

type Article = Awaited<ReturnType<typeof anArticle>>
type Operation = keyof Article['reads']

async function anArticle() {
  const place = aPull(service)
  const { id: articleId } = await articlesOf(service).generated(place, token)
  await likesOf(service).liked(token, { articleId, langCode: 'ja' })
  const { id = 0 } = host.repositories.at(-1) ?? {}
  const feed = `/feeds/repos/${place.split('#')[0]}`
  const params = paramsOf(place)
  const reads = {
    getPullRequest: () => pullsOf(service).get(place),
    listPullRequests: () => service.call('listPullRequests', { token, params }),
    getArticle: () => articlesOf(service).get(place),
    getArticleById: () => service.call('getArticleById', { params: { articleId } }),
    'getArticleById, signed in': () => service.call('getArticleById', { token, params: { articleId } }),
    generateArticle: () => articlesOf(service).generate(place, token),
    likeArticle: () => likesOf(service).like(token, { articleId, langCode: 'ja' }),
    listLikedArticles: () => service.call('listLikedArticles', { token, query: { limit: 100 } }),
    getArticleRanking: () => service.call('getArticleRanking', { query: { limit: 100 } }),
    feed: () => fetch(`${service.url}${feed}`),
    sitemap: () => fetch(`${service.url}/sitemap.xml`),
  }
  return {
    id,
    articleId,
    params,
    reads,
    async age(verifiedAge: number, askedAge = 1000 * MINUTES) {
      await ctx.db
        .updateTable('repositories')
        .set({ verified_at: ago(verifiedAge), public_checked_at: ago(askedAge), doubted: false })
        .where('host_repo_id', '=', id)
        .execute()
    },
    checks: () => host.calls.filter((call) => call.path === `/repositories/${id}`).length,
  }
}

/**
 * The ages on both sides of each limit of freshness. Times up to a second in the future count as fresh, because the
 * clocks of nodes differ.
 */
const boundaries = (limit: number): [age: number, isStale: boolean][] => [
  [limit - 1, false],
  [limit, true],
  [-1 * SECONDS, false],
  [-1 * SECONDS - 1, true],
]

test('all operations consider the visibility check of a public repository expired at the same age', async () => {
  // Each operation reads its own article, so that a late check for one does not renew the check for the next.
  const { reads: all } = await anArticle()
  const articles = new Map<Operation, Article>()
  for (const name of Object.keys(all) as Operation[]) articles.set(name, await anArticle())
  const wrong: object[] = []
  const expectCheck = async (isDue: boolean, ...ages: [number, number?]) => {
    for (const [name, { reads, age, checks }] of articles) {
      await age(...ages)
      const before = checks()
      expect((await reads[name]()).status).toBe(200)
      const checked = () => checks() - before
      if (isDue)
        await expect
          .poll(checked, { timeout: 2000 })
          .toBe(1)
          .catch(() => {})
      else await sleep(BACKGROUND_MS)
      if (checked() !== Number(isDue)) wrong.push({ name, ages, checked: checked() })
    }
  }
  for (const [verifiedAge, isStale] of boundaries(5 * MINUTES)) await expectCheck(isStale, verifiedAge)
  for (const [askedAge, mayAsk] of boundaries(1 * MINUTES)) await expectCheck(mayAsk, 6 * MINUTES, askedAge)
  expect(wrong).toEqual([])
})

test('a list of pull requests, whose age is computed outside the database, expires at the same boundaries', async () => {
  const { id, params, age } = await anArticle()
  for (const [listAge, isStale] of boundaries(1 * MINUTES)) {
    await age(0)
    await service.call('listPullRequests', { token, params })
    await ctx.db
      .updateTable('pull_request_lists')
      .set({ asked_at: ago(listAge) })
      .where('host_repo_id', '=', id)
      .execute()
    const calls = await host.during(() => service.call('listPullRequests', { token, params }))
    expect([listAge, calls.count]).toEqual([listAge, Number(isStale)])
  }
})

const limited = faults.status(429, { 'retry-after': '30' })
const hour = 60 * MINUTES
const week = 7 * 24 * hour
// The rate-limited cases come last, because the service does not call the host until the limit ends.
test.each<[string, Fault['act'], number, number]>([
  ['unreachable for an hour', faults.status(503), hour, 200],
  ['unreachable for a month', faults.status(503), 720 * hour, 200],
  ['rate-limited for almost a week', limited, week - 1, 200],
  ['rate-limited for a week', limited, week, 404],
])('reads agree on whether a public repository is shown if the host is %s', async (_, act, verifiedAge, status) => {
  const { id, articleId, reads, age } = await anArticle()
  for (const name of ['getPullRequest', 'getArticle', 'getArticleById'] as const) {
    await age(verifiedAge)
    host.fail({ path: new RegExp(`^/repositories/${id}$`), times: 9, act })
    expect([name, (await reads[name]()).status]).toEqual([name, status])
    host.heal()
  }
  const sitemap = await (await reads.sitemap()).text()
  expect(sitemap.includes(articleId)).toBe(status === 200)
})
