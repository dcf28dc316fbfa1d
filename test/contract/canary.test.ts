import { afterAll, describe, expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { insertMerges } from '../../src/db/merges/merges.ts'
import type { OperationId } from '../../src/web/api/handler.ts'
import type { Answer } from '../support/client.ts'
import { operationIds } from '../support/contract.ts'
import { favoritesOf } from '../support/favorites.ts'
import { changed, paramsOf, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'
import { deliveryOf, WEBHOOK_SECRET } from '../support/webhooks.ts'

const MARKER = 'canary'
const serviceToken = 'service-token-fedcba9876543210'
const service = await startService({ env: { CODE_HOST_TOKEN: serviceToken, WEBHOOK_SECRET } })
afterAll(() => service.close())
service.host.admit(serviceToken, 'service')

const pulls = [
  {
    number: 1,
    state: 'open' as const,
    title: `${MARKER}-title`,
    body: `${MARKER}-body fixes #9`,
    labels: [`${MARKER}-label`],
    milestone: `${MARKER}-milestone`,
    comments: [{ author: 'member', body: `${MARKER}-comment`, at: '2026-01-01T00:00:00Z' }],
    commits: [{ message: `${MARKER}-commit`, author: 'member' }],
    files: [changed(`${MARKER}-file.txt`)],
  },
]
const issues = [{ number: 9, title: `${MARKER}-issue`, body: `${MARKER}-report` }]
/**
 * One repository was always private; the other was public when users registered and ingested it, and is private now.
 */
const vault = repositoryOf(service, `acme/${MARKER}-vault`, {
  private: true,
  members: ['member', 'left'],
  pulls,
  issues,
})
const nowPrivate = repositoryOf(service, `acme/${MARKER}-turned`, { pulls, issues })
const names = [vault, nowPrivate].map(({ owner, name }) => `${owner}/${name}`)

const { favorite } = favoritesOf(service)
const { ingested } = pullsOf(service)
const member = await service.signedUp('member')
const left = await service.signedUp('left')
const reader = await service.signedUp('reader')
for (const token of [member, left]) await ingested(`${names[0]}#1`, token)
for (const token of [member, left, reader]) await ingested(`${names[1]}#1`, token)
const written = await Promise.all(
  names.map(async (name) => {
    const params = paramsOf(`${name}#1`)
    const ask = (prefer: string) => service.call('generateArticle', { token: member, params, headers: { prefer } })
    const { body: job } = await ask('respond-async')
    const { body: article } = await ask('wait=30')
    return [name, { jobId: job.data.id, articleId: article.data.id }] as const
  }),
)
/** Ids of the jobs and articles of the private repositories, and ids that do not exist. */
const ids: Record<string, Record<string, string>> = Object.fromEntries(written)
const missingIds = { jobId: crypto.randomUUID(), articleId: crypto.randomUUID() }
const likes = (token: string, name = '') =>
  service.call('likeArticle', { token, params: { langCode: 'ja', articleId: ids[name]?.['articleId'] ?? '' } })
for (const token of [member, left]) expect((await likes(token, names[0])).status).toBe(201)
for (const token of [member, left, reader]) expect((await likes(token, names[1])).status).toBe(201)
for (const token of [member, left]) await favorite(token, names[0] ?? '')
for (const token of [member, left, reader]) await favorite(token, names[1] ?? '')
for (const token of [member, left, reader]) await service.call('getFeed', { token })
for (const { id } of [vault, nowPrivate])
  await insertMerges(service.ctx.db, { hostRepoId: id, isEarlier: false, now: new Date() }, [
    {
      ...{ number: 1, title: `${MARKER}-title`, author: 'member', author_is_bot: false },
      ...{ url: `https://host.example.com/${MARKER}`, merged_at: new Date() },
    },
  ])
vault.members = ['member']
Object.assign(nowPrivate, { private: true, members: ['member'] })
service.advance(6 * 60_000)
// The next read makes the service check the visibility again.
await service.call('getPullRequest', { params: { owner: nowPrivate.owner, repo: nowPrivate.name, number: '1' } })

const outsiders: Record<string, () => Promise<string | undefined>> = {
  'an anonymous caller': async () => undefined,
  'a user who never had access': () => service.signedUp(`stranger-${crypto.randomUUID().slice(0, 8)}`),
  'another session of an earlier reader': async () => {
    const token = service.host.token('reader')
    await service.call('getCurrentUser', { token })
    return token
  },
  'the session of an earlier reader': async () => reader,
  'a former member': async () => left,
}
/** Operations that end the session or account of the caller, so each call needs a new token. */
const FATAL: OperationId[] = ['logOut', 'deleteCurrentUser']
const bodies: Partial<Record<OperationId, (repository: Place) => object>> = {
  createToken: () => ({ name: 'Mine', scopes: ['read'] }),
  saveHostToken: () => ({ hostAccessToken: 'whatever' }),
  updateCurrentUser: () => ({ language: 'en' }),
  registerFavorite: ({ owner, repo }) => ({ owner, repo }),
  addFavorite: ({ owner, repo }) => ({ owner, repo }),
  updateFavorite: () => ({ automaticArticles: 'everything' }),
  reportMistake: () => ({ description: 'Wrong.' }),
  receiveWebhook: ({ repo }) => ({ action: 'closed', repository: { id: idOf(repo) } }),
}

/** The id of the private repository with this name, or an id that no repository has. */
const idOf = (repo: string) => [vault, nowPrivate].find(({ name }) => name === repo)?.id ?? 987_654_321

const queries: Partial<Record<OperationId, Record<string, string>>> = { searchHostRepositories: { q: 'acme' } }

interface Place {
  owner: string
  repo: string
}
const known: Record<string, string> = {
  langCode: 'ja',
  number: '1',
  sessionId: crypto.randomUUID(),
  tokenId: crypto.randomUUID(),
}

function ask(operationId: OperationId, token: string | undefined, place: Place): Promise<Answer> {
  const { path, body } = operations[operationId]
  const params = Object.fromEntries(
    [...path.matchAll(/{(\w+)}/g)].map(([, name = '']) => {
      const values: Record<string, string> = {
        ...known,
        ...place,
        ...(ids[`${place.owner}/${place.repo}`] ?? missingIds),
      }
      const value = values[name]
      if (value === undefined) throw new Error(`Missing test value for parameter ${name} of ${operationId}.`)
      return [name, value]
    }),
  )
  if (body === 'required' && !bodies[operationId]) throw new Error(`Missing test body for ${operationId}.`)
  const sent = bodies[operationId]?.(place)
  return service.call(operationId, {
    token,
    params,
    query: queries[operationId] ?? {},
    ...(operationId === 'receiveWebhook' ? deliveryOf('pull_request', sent) : { body: sent }),
  })
}

/** The response without the parts that differ between requests. */
function comparable({ status, headers, body }: Answer) {
  const { 'x-request-id': _, date: __, ...rest } = Object.fromEntries(headers)
  const text = JSON.stringify(body ?? null).replace(headers.get('x-request-id') ?? '', '')
  return { status, headers: rest, text }
}

const namesRepository = (operationId: OperationId) =>
  /{(repo|articleId|jobId)}/.test(operations[operationId].path) ||
  ['registerFavorite', 'addFavorite'].includes(operationId)

describe.each(Object.keys(outsiders))('a call by %s', (kind) => {
  test.each(operationIds)(
    '%s shows nothing of a private repository and answers as if it did not exist',
    async (operationId) => {
      const token = FATAL.includes(operationId) ? service.host.token('walker') : await outsiders[kind]?.()
      for (const { owner, name: repo } of [vault, nowPrivate]) {
        const missing = { owner, repo: repo.replace(MARKER, 'missing') }
        let hidden: Answer | undefined
        let absent: Answer | undefined
        const callsForHidden = await service.host.during(async () => {
          hidden = await ask(operationId, token, { owner, repo })
        })
        const callsForAbsent = await service.host.during(async () => {
          absent = await ask(operationId, token, missing)
        })
        expect(JSON.stringify(hidden?.body ?? {})).not.toContain(MARKER)
        expect(hidden?.status).toBeLessThan(500)
        if (!namesRepository(operationId) || !hidden || !absent) continue
        expect(comparable(hidden)).toEqual(comparable(absent))
        expect(hidden.status).toBe(token === undefined && operations[operationId].security === 'bearer' ? 401 : 404)
        expect(callsForHidden.count).toBe(callsForAbsent.count)
      }
    },
  )
})

test('a member sees the marker in private repositories, which proves that these tests can detect a leak', async () => {
  const shown = new Set<OperationId>()
  const last = ['removeFavorite', 'unlikeArticle'] as const
  const walked = operationIds.filter((id) => !FATAL.includes(id) && !last.some((lastId) => lastId === id))
  for (const operationId of [...walked, ...last])
    for (const { owner, name: repo } of [vault, nowPrivate]) {
      const { body } = await ask(operationId, member, { owner, repo })
      if (JSON.stringify(body ?? {}).includes(MARKER)) shown.add(operationId)
    }
  expect([...shown].sort()).toEqual([
    'addFavorite',
    'generateArticle',
    'getArticle',
    'getArticleById',
    'getArticleJob',
    'getFeed',
    'getPullRequest',
    'ingestPullRequest',
    'listArticleJobs',
    'listArticles',
    'listFavorites',
    'listLikedArticles',
    'listMerges',
    'listPullRequests',
    'markFavoriteSeen',
    'registerFavorite',
    'removeFavorite',
    'searchHostRepositories',
    'updateFavorite',
  ])
})
