import { afterAll, expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { insertMerges } from '../../src/db/merges/merges.ts'
import { hideArticle, hideRepository } from '../../src/domain/administration/hiding.ts'
import type { OperationId } from '../../src/web/api/handler.ts'
import { routes } from '../../src/web/pages/routes.ts'
import { articlesOf } from '../support/articles.ts'
import { openBrowser } from '../support/browser.ts'
import { operationIds } from '../support/contract.ts'
import { favoritesOf } from '../support/favorites.ts'
import { post, toolCall } from '../support/mcp.ts'
import { changed, paramsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'
import { deliveryOf, WEBHOOK_SECRET } from '../support/webhooks.ts'

const serviceToken = 'service-token-fedcba9876543210'
const service = await startService({ env: { CODE_HOST_TOKEN: serviceToken, WEBHOOK_SECRET } })
afterAll(() => service.close())
service.host.admit(serviceToken, 'service')
const { generated, generate } = articlesOf(service)
const { favorite } = favoritesOf(service)
const { db } = service.ctx
const operator = () => ({ at: service.ctx.now(), by: 'tester', note: 'a complaint' })

/** A pull request that a test hides, either with its whole repository or alone. */
interface Place {
  name: string
  number: number
  articleId: string
  jobId: string
  /** Texts that no response may contain while the pull request is hidden. */
  markers: string[]
}

async function aPlace(name: string, number: number, token: string, markers: string[]): Promise<Place> {
  const headers = { prefer: 'respond-async' }
  const { body: job } = await generate(`${name}#${number}`, token, { language: 'ja' }, headers)
  const { id: articleId } = await generated(`${name}#${number}`, token, { language: 'ja' })
  const params = { articleId, langCode: 'ja' }
  expect((await service.call('likeArticle', { token, params })).status).toBe(201)
  return { name, number, articleId, jobId: job.data.id, markers: [articleId, job.data.id, ...markers] }
}

const pullOf = (number: number, title: string) => ({
  number,
  title,
  mergedAt: '2026-02-03T00:00:00Z',
  files: [changed('src/a.ts')],
})
const whole = repositoryOf(service, 'acme/canary', { pulls: [pullOf(1, 'Sing at noon'), pullOf(2, 'Sing at night')] })
const mixed = repositoryOf(service, 'acme/mixed', { pulls: [pullOf(1, 'Canary sings'), pullOf(2, 'Dogs bark')] })

const member = await service.signedUp('member')
const other = await service.signedUp('other')
for (const name of ['acme/canary', 'acme/mixed']) await favorite(member, name)
const places = {
  repository: await aPlace('acme/canary', 1, member, ['acme/canary']),
  article: await aPlace('acme/mixed', 1, member, ['Canary sings']),
}
await generated('acme/mixed#2', member, { language: 'ja' })
for (const [{ id }, title] of [
  [whole, 'Sing at noon'],
  [mixed, 'Canary sings'],
] as const)
  await insertMerges(db, { hostRepoId: id, isEarlier: false, now: new Date() }, [
    {
      ...{ number: 1, title, author: 'member', author_is_bot: false },
      ...{ url: 'https://host.example.com/1', merged_at: new Date() },
    },
  ])
const browser = openBrowser(service.url)
await browser.submit('/sign-in', { token: service.host.token('member') })
const feedKey = /\/feeds\/favorites\/[\w-]+/.exec(await (await browser.submit('/read/feed', {})).text())?.[0] ?? ''

const bodies: Partial<Record<OperationId, (name: string) => object>> = {
  createToken: () => ({ name: 'Mine', scopes: ['read'] }),
  saveHostToken: () => ({ hostAccessToken: 'whatever' }),
  updateCurrentUser: () => ({ language: 'ja' }),
  registerFavorite: favoriteBody,
  addFavorite: favoriteBody,
  updateFavorite: () => ({ automaticArticles: 'everything' }),
  reportMistake: () => ({ description: 'Wrong.' }),
  receiveWebhook: () => ({ action: 'closed', repository: { id: whole.id } }),
}
function favoriteBody(name: string) {
  const [owner = '', repo = ''] = name.split('/')
  return { owner, repo }
}
const queries: Partial<Record<OperationId, Record<string, string>>> = {
  searchHostRepositories: { q: 'acme' },
  listPullRequests: { state: 'all' },
}

/** Operations that remove something. Called only while the pull request is hidden, when they must do nothing. */
const TAKING: OperationId[] = ['removeFavorite', 'unlikeArticle']
const FATAL: OperationId[] = ['logOut', 'deleteCurrentUser', 'signUp', 'revokeSession', 'revokeToken']
const WALKED = operationIds.filter((id) => !FATAL.includes(id))

function ask(operationId: OperationId, token: string | undefined, { name, number, articleId, jobId }: Place) {
  const { path, body } = operations[operationId]
  const known: Record<string, string> = { ...paramsOf(`${name}#${number}`), articleId, jobId, langCode: 'ja' }
  const params = Object.fromEntries([...path.matchAll(/{(\w+)}/g)].map(([, key = '']) => [key, known[key] ?? '']))
  if (body === 'required' && !bodies[operationId]) throw new Error(`Missing test body for ${operationId}.`)
  const sent = bodies[operationId]?.(name)
  const delivery = operationId === 'receiveWebhook' ? deliveryOf('pull_request', sent) : { body: sent }
  return service.call(operationId, { token, params, query: queries[operationId] ?? {}, ...delivery })
}

/** The paths of all pages and feeds, with the parameters of a place filled in. */
function pagesOf({ name, articleId, jobId, number }: Place): string[] {
  const pages = routes
    .filter(({ method, path }) => method === 'GET' && !path.startsWith('/sign-in'))
    .map(({ path }) =>
      path
        .replace(':owner/:name', name)
        .replace(':number', String(number))
        .replace(':articleId', articleId)
        .replace(':jobId', jobId),
    )
  return [
    ...pages,
    ...['/read?period=all', '/read/search?q=src', '/sitemap.xml', '/feeds/articles.atom', '/feeds/ranking.atom'],
    ...[`/feeds/repos/${name}`, '/feeds/search.atom?q=src', feedKey],
  ]
}

const shows = (text: string, { markers }: Place) => markers.some((marker) => text.includes(marker))

/** Calls a tool of MCP and returns its answers as text. */
async function askTool(tool: string, token: string | undefined, { name, number, articleId }: Place) {
  const inputs: Record<string, object[]> = {
    search_articles: [{ query: 'src' }, { repository: name }],
    read_article: [{ articleId }, { repository: name, number }],
    what_changed: [{ repository: name, since: '2020-01-01' }],
  }
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answers = (inputs[tool] ?? []).map((input) => post(service, toolCall(tool, input), headers))
  return (await Promise.all(answers)).map(({ body }) => JSON.stringify(body)).join('\n')
}

/** Calls all operations, tools and pages, and returns those whose response contains a marker of the place. */
async function walk(place: Place): Promise<string[]> {
  const shown: string[] = []
  for (const operationId of WALKED.filter((id) => !TAKING.includes(id)))
    for (const [caller, token] of Object.entries({ anonymous: undefined, other, member })) {
      const { body } = await ask(operationId, token, place)
      if (shows(JSON.stringify(body ?? {}), place)) shown.push(`${caller} ${operationId}`)
    }
  for (const tool of ['search_articles', 'read_article', 'what_changed'])
    for (const [caller, token] of Object.entries({ anonymous: undefined, member }))
      if (shows(await askTool(tool, token, place), place)) shown.push(`${caller} ${tool}`)
  for (const path of pagesOf(place))
    for (const [caller, visitor] of [['anonymous', openBrowser(service.url)] as const, ['member', browser] as const]) {
      const page = await visitor.visit(path)
      expect(page.status, path).toBeLessThan(500)
      // Pages may repeat input of the visitor: a typed address, and links that lead back to the requested path.
      const { pathname, searchParams } = new URL(page.url)
      if (pathname === '/sign-in' || searchParams.has('address')) continue
      const text = (await page.text()).replaceAll(path, '').replaceAll(encodeURIComponent(path), '')
      if (shows(text, place)) shown.push(`${caller} ${path}`)
    }
  return shown
}

const FETCHING: OperationId[] = ['generateArticle', 'ingestPullRequest']

test.each(Object.entries(places))(
  'no caller finds a hidden %s until the operator unhides it again',
  async (kind, place) => {
    const act = (action: 'hide' | 'unhide') =>
      kind === 'repository'
        ? hideRepository(db, action, favoriteBody(place.name), operator())
        : hideArticle(db, action, { articleId: place.articleId }, operator())
    // First sends the requests of `walk` that change data (such as new favorites), so that all walks see the same.
    for (const operationId of WALKED.filter((id) => !TAKING.includes(id) && operations[id].method !== 'GET'))
      for (const token of [undefined, other, member]) await ask(operationId, token, place)
    const before = await walk(place)
    for (const expected of [
      ...['anonymous getArticleById', 'anonymous listArticles', 'anonymous getArticleRanking', 'member getArticleJob'],
      ...['member listLikedArticles', 'member listArticleJobs', 'member getFeed', 'member listPullRequests'],
      ...[
        'anonymous listMerges',
        'anonymous getPullRequest',
        'anonymous /read',
        'anonymous /sitemap.xml',
        'member /read/me',
      ],
      ...[
        'anonymous search_articles',
        'member read_article',
        'anonymous what_changed',
        'anonymous /feeds/articles.atom',
        'anonymous /feeds/ranking.atom',
        'anonymous /read/search?q=src',
        `anonymous ${feedKey}`,
      ],
    ])
      expect(before).toContain(expected)

    await act('hide')
    expect(await walk(place)).toEqual([])
    const naming = WALKED.filter((id) => /{(articleId|jobId|number)}/.test(operations[id].path))
    const aboutRepository: OperationId[] =
      kind === 'repository'
        ? [
            'listPullRequests',
            'listMerges',
            'registerFavorite',
            'addFavorite',
            'removeFavorite',
            'updateFavorite',
            'markFavoriteSeen',
          ]
        : []
    for (const operationId of [...naming, ...aboutRepository]) {
      const { status, body } = await ask(operationId, member, place)
      const isFetching = FETCHING.includes(operationId)
      expect([operationId, status]).toEqual([operationId, isFetching ? 403 : 404])
      if (isFetching) expect(body.error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'hidden_by_operator' } })
    }
    const refreshed = { token: member, params: paramsOf(`${place.name}#${place.number}`), query: { refresh: 'true' } }
    expect((await service.call('getPullRequest', refreshed)).body.error.details.reason).toBe('hidden_by_operator')
    for (const path of pagesOf(place).filter((page) => page.includes(place.articleId)))
      expect([path, (await browser.visit(path)).status]).toEqual([path, 404])
    const opened = await browser.submit('/read/open', { address: `${place.name}#${place.number}` })
    expect([opened.status, (await opened.text()).includes('has hidden this pull request')]).toEqual([403, true])

    await act('unhide')
    service.ctx.indexing.soon()
    // Waits for the search index before it polls `walk`, because each walk sends hundreds of requests.
    await expect.poll(() => db.selectFrom('search_queue').select('id').execute()).toEqual([])
    await expect.poll(() => walk(place)).toEqual(before)
  },
)

test('counts and paginated lists omit hidden articles', async () => {
  const pulls = [1, 2, 3].map((number) => ({ number, title: `Whale ${number}`, files: [changed('src/whale.ts')] }))
  repositoryOf(service, 'acme/whales', { pulls })
  const liker = await service.signedUp('liker')
  await favorite(member, 'acme/whales')
  const ids: string[] = []
  for (const { number } of pulls) ids.push((await generated(`acme/whales#${number}`, member, { language: 'ja' })).id)
  for (const articleId of ids)
    await service.call('likeArticle', { token: liker, params: { articleId, langCode: 'ja' } })

  const searched = async (query: Record<string, string>) => {
    const found: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = { limit: 1, ...query, ...(cursor && { cursor }) }
      const { body } = await service.call('listArticles', { query: page })
      found.push(...body.data.data.map(({ articleId }: { articleId: string }) => articleId))
      cursor = body.data.pagination.nextCursor ?? undefined
    }
    return found.sort()
  }
  const state = async () => {
    const { body: repositories } = await service.call('listRepositories')
    const listed = repositories.data.data.find(({ repo }: { repo: string }) => repo === 'whales')
    const { body: favorites } = await service.call('listFavorites', { token: member })
    const followed = favorites.data.data.find(({ repo }: { repo: string }) => repo === 'whales')
    const { body: ranking } = await service.call('getArticleRanking', { query: { limit: 100 } })
    const ranked = ranking.data.data.filter(({ articleId }: { articleId: string }) => ids.includes(articleId))
    const { body: likes } = await service.call('listLikedArticles', { token: liker })
    return {
      articleCount: listed?.articleCount,
      unreadCount: followed?.unreadCount,
      ranked: ranked.length,
      isRankingWhole: ranking.data.pagination.totalItems === ranking.data.data.length,
      likes: likes.data.pagination.totalItems,
      byRelevance: await searched({ q: 'whale' }),
      byRepository: await searched({ repository: 'acme/whales' }),
    }
  }
  const stateOf = (shown: string[]) => ({
    ...{ articleCount: shown.length, unreadCount: shown.length, ranked: shown.length, isRankingWhole: true },
    ...{ likes: shown.length, byRelevance: shown.toSorted(), byRepository: shown.toSorted() },
  })
  await expect.poll(state).toEqual(stateOf(ids))
  const articleId = ids[2] ?? ''
  await hideArticle(db, 'hide', { articleId }, operator())
  service.ctx.indexing.soon()
  await expect.poll(state).toEqual(stateOf(ids.slice(0, 2)))
  await hideArticle(db, 'unhide', { articleId }, operator())
  service.ctx.indexing.soon()
  await expect.poll(state).toEqual(stateOf(ids))
})

test('if several repositories have the same name, hides only the most recently verified one', async () => {
  const pulls = [pullOf(1, 'Two birds')]
  for (const name of ['acme/renamed', 'acme/taken']) {
    repositoryOf(service, name, { pulls })
    await generated(`${name}#1`, member, { language: 'ja' })
  }
  const taken = { owner: 'acme', repo: 'taken' }
  const named = () =>
    db.selectFrom('repositories').where('name', '=', 'taken').select('hidden_by').orderBy('verified_at', 'desc')
  await db
    .updateTable('repositories')
    .set({ name: 'taken', verified_at: new Date(0) })
    .where('name', '=', 'renamed')
    .execute()
  await hideRepository(db, 'hide', taken, operator())
  await expect(hideRepository(db, 'hide', taken, operator())).rejects.toThrow('It is hidden already.')
  expect(await named().execute()).toEqual([{ hidden_by: expect.any(String) }, { hidden_by: null }])
})
