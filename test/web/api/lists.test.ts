import { afterAll, expect, test } from 'vitest'
import { operations } from '../../../generated/operations.ts'
import { encodeCursor } from '../../../src/lib/cursor.ts'
import type { OperationId } from '../../../src/web/api/handler.ts'
import { articlesOf } from '../../support/articles.ts'
import type { Ask } from '../../support/client.ts'
import { favoritesOf } from '../../support/favorites.ts'
import { likesOf } from '../../support/likes.ts'
import { listedMerges } from '../../support/mergeRows.ts'
import { changed, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const { counted, liked } = likesOf(service)
const { favorite } = favoritesOf(service)
const token = await service.signedUp('reader')

const names = ['one', 'two', 'three']
const articles = new Map<string, string>()
for (const name of names) {
  const pulls = [1, 2, 3].map((number) => ({ number, files: [changed('a.ts')] }))
  const { id } = repositoryOf(service, `acme/${name}`, { pulls })
  await favorite(token, `acme/${name}`)
  const { id: articleId } = await generated(`acme/${name}#1`, token)
  articles.set(name, articleId)
  await liked(token, { articleId, langCode: 'ja' })
  if (name === 'one') await listedMerges(service, id, [{ number: 1 }, { number: 2 }, { number: 3 }])
  await service.call('getCurrentUser', { token: service.host.token('reader') })
  await service.call('createToken', { token, body: { name, scopes: ['read'] } })
  service.advance(1000)
}
await counted()

const [articleId = ''] = articles.values()
const one = { params: { owner: 'acme', repo: 'one' } }
/** The lists and the articles, with a request for each. */
const lists = {
  listSessions: {},
  listTokens: {},
  listFavorites: {},
  listLikedArticles: {},
  listArticleJobs: {},
  getFeed: {},
  searchHostRepositories: { query: { q: 'acme' } },
  listRepositories: {},
  listMerges: one,
  listPullRequests: { ...one, query: { state: 'all' } },
  listArticles: {},
  getArticleRanking: {},
} satisfies Partial<Record<OperationId, Ask>>
const readArticle = {
  getArticle: { params: { ...one.params, number: '1' } },
  getArticleById: { params: { articleId } },
} satisfies Partial<Record<OperationId, Ask>>
const listed = Object.entries(lists) as [OperationId, Ask][]
const revalidated = [...listed, ...Object.entries(readArticle)] as [OperationId, Ask][]

const dataOf = (body: { data: unknown[] & { data: unknown[] } }) => body.data.data ?? body.data

test('the lists are all operations that take a cursor', () => {
  const paged = Object.entries(operations).filter(([, { queryNames }]) => ['limit', 'cursor'].every(isIn(queryNames)))
  expect(paged.map(([operationId]) => operationId).toSorted()).toEqual(Object.keys(lists).toSorted())
})

function isIn(names: readonly string[]) {
  return (name: string) => names.includes(name)
}

test.each(listed)('the pages of %s lead from one to the next, by nextCursor and by Link', async (operationId, ask) => {
  const whole = await service.call(operationId, { ...ask, token, query: { ...ask.query, limit: 30 } })
  expect([whole.status, whole.headers.get('link')]).toEqual([200, null])
  const items = dataOf(whole.body)
  expect(items.length).toBeGreaterThan(2)
  const seen: unknown[] = []
  const path = `${operations[operationId].path.replace('{owner}/{repo}', 'acme/one')}`
  const first = new URLSearchParams({ ...ask.query, limit: '1' } as Record<string, string>)
  for (let url: string | undefined = `${service.url}${path}?${first}`; url; ) {
    const { pathname, search } = new URL(url)
    const page = await service.send('GET', `${pathname}${search}`, { headers: { authorization: `Bearer ${token}` } })
    expect(page.status, JSON.stringify(page.body)).toBe(200)
    seen.push(...dataOf(page.body))
    const { nextCursor } = page.body.pagination ?? page.body.data.pagination
    url = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    expect(url && new URL(url).searchParams.get('cursor')).toBe(nextCursor ?? undefined)
  }
  expect(seen).toEqual(items)
})

test.each(listed)(
  '%s rejects cursors of other lists, and a cursor together with an offset',
  async (operationId, ask) => {
    const get = (query: Record<string, string | number>) =>
      service.call(operationId, { ...ask, token, query: { ...ask.query, ...query } })
    for (const cursor of ['W10', 'W251bGxd', encodeCursor([-1]), encodeCursor(['x']), '!'])
      expect((await get({ cursor })).status).toBe(400)
    if (!operations[operationId].queryNames.some((name) => name === 'offset')) return
    const page = await get({ limit: 1 })
    const { nextCursor } = (page.body.pagination ?? page.body.data.pagination) as { nextCursor: string }
    const both = await get({ cursor: nextCursor, offset: 1, limit: 1 })
    expect([both.status, both.body.message]).toEqual([400, 'Send either `cursor` or `offset`, not both.'])
  },
)

test('favorites and likes that are added or removed meanwhile shift no later page', async () => {
  const pageOf = async (operationId: 'listFavorites' | 'listLikedArticles', query: Record<string, string>) => {
    const { body } = await service.call(operationId, { token, query: { limit: '1', ...query } })
    return { names: body.data.data.map(({ repo }: { repo: string }) => repo), ...body.data.pagination }
  }
  const favorites = await pageOf('listFavorites', {})
  const likes = await pageOf('listLikedArticles', {})
  expect([favorites.names, likes.names]).toEqual([['three'], ['three']])
  repositoryOf(service, 'acme/four', { pulls: [{ number: 1, files: [changed('a.ts')] }] })
  await favorite(token, 'acme/four')
  const { id } = await generated('acme/four#1', token)
  await liked(token, { articleId: id, langCode: 'ja' })
  for (const [operationId, { nextCursor }] of [
    ['listFavorites', favorites],
    ['listLikedArticles', likes],
  ] as const)
    expect(await pageOf(operationId, { cursor: nextCursor })).toMatchObject({
      names: ['two'],
      totalItems: 4,
      offset: 1,
    })
  await service.call('removeFavorite', { token, params: { owner: 'acme', repo: 'four' } })
  await service.call('unlikeArticle', { token, params: { articleId: id, langCode: 'ja' } })
  await counted()
})

test.each(revalidated)('%s answers 304 to a client that has the response', async (operationId, ask) => {
  const isOpen = operations[operationId].security === 'optional'
  for (const caller of isOpen ? [token, undefined] : [token]) {
    const first = await service.call(operationId, { ...ask, token: caller })
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]+"$/)
    expect(first.headers.get('cache-control')).toBe(`${caller ? 'private' : 'public'}, no-cache`)
    expect(first.headers.get('vary')).toBe('Authorization, Cookie, Accept, Accept-Language, Prefer')
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await service.call(operationId, { ...ask, token: caller, headers: { 'if-none-match': known } })
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, tag])
    }
    const other = await service.call(operationId, { ...ask, token: caller, headers: { 'if-none-match': '"other"' } })
    expect([other.status, other.body]).toEqual([200, first.body])
  }
})

test('errors and operations that are neither lists nor articles are not kept', async () => {
  const missing = await service.call('getArticleById', { params: { articleId: crypto.randomUUID() } })
  const user = await service.call('getCurrentUser', { token })
  for (const { headers } of [missing, user])
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store'])
})

test('visibility is decided before 304: a hidden article answers as one that never existed', async () => {
  const vault = repositoryOf(service, 'acme/vault', {
    ...{ private: true, members: ['reader'] },
    pulls: [{ number: 1, files: [changed('a.ts')] }],
  })
  const { id } = await generated('acme/vault#1', token)
  const ask = { token, params: { articleId: id } }
  const tag = (await service.call('getArticleById', ask)).headers.get('etag') ?? ''
  vault.members = []
  service.advance(6 * 60_000)
  for (const known of [tag, '*']) {
    const headers = { 'if-none-match': known }
    const hidden = await service.call('getArticleById', { ...ask, headers })
    const unknown = await service.call('getArticleById', { token, params: { articleId: crypto.randomUUID() }, headers })
    expect([hidden.status, hidden.headers.get('etag')]).toEqual([404, null])
    expect({ ...hidden.body, error: { ...hidden.body.error, requestId: '' } }).toEqual({
      ...unknown.body,
      error: { ...unknown.body.error, requestId: '' },
    })
  }
})

test('articles, repositories and pull requests have the URL of their page, which shows them', async () => {
  const urls = new Map<string, string>()
  for (const [operationId, ask] of revalidated) {
    const { body } = await service.call(operationId, { ...ask, token })
    const { data } = body
    const [item = data] = data.data ?? []
    if (operationId === 'getFeed') urls.set('newArticles', data.newArticles[0]?.url ?? item.url)
    if (!['listSessions', 'listTokens', 'listArticleJobs'].includes(operationId)) urls.set(operationId, item.url)
  }
  const pull = await service.call('getPullRequest', { token, params: { ...one.params, number: '1' } })
  urls.set('getPullRequest', pull.body.data.url)
  for (const [operationId, url] of urls) {
    expect(url, operationId).toMatch(new RegExp(`^${service.url}/read/(articles|repos|pulls)/`))
    const page = await fetch(url, { redirect: 'manual' })
    expect([operationId, [200, 303].includes(page.status)]).toEqual([operationId, true])
  }
})
