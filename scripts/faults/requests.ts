import type { Deployment } from './deployment.ts'

const USERS = 40
const ARTICLES = 12
/** Pull requests without an article yet; the load requests them. */
const PULL_REQUESTS = 5000
const PATCH = '@@ -1,1 +1,2 @@\n const a = 1\n+const b = 2'
const LANGUAGE = 'ja'

/** One request of the load. */
export interface Request {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  token?: string
  headers?: Record<string, string>
  body?: object
  /** The state that the acknowledgement of the request promises. */
  claim?: Claim
  /** The response statuses that acknowledge the request; `before` is the previous state, if known. */
  expected(before: boolean | undefined): number[]
}

export interface Claim {
  key: string
  isOn: boolean
}

/** The state according to all acknowledgements so far. */
export interface Known {
  stateOf(key: string): boolean | undefined
  isBusy(key: string): boolean
}

export const likeKey = (userId: string, articleId: string, language: string) => `${userId} ${articleId} ${language}`
export const favoriteKey = (userId: string) => `${userId} favorite`

/** Signs users up and writes articles. Returns a function that makes requests about them. */
export async function prepareRequests({ host, balancer }: Deployment): Promise<(known: Known) => Request> {
  const files = [{ filename: 'src/app.ts', patch: PATCH }]
  const pulls = Array.from({ length: PULL_REQUESTS }, (_, i) => ({ number: i + 1, files }))
  host.repository({ id: 1, owner: 'acme', name: 'shop', pulls })
  const tokens = Array.from({ length: USERS }, (_, i) => host.token(`user-${i}`))
  const post = async (path: string, token: string) => {
    const answer = await fetch(`${balancer.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { id: string; data: { id: string } }
  }
  const users = await Promise.all(
    tokens.map(async (token) => ({ token, id: String((await post('/auth/signup', token)).id) })),
  )
  const articleIds: string[] = []
  while (articleIds.length < ARTICLES)
    articleIds.push((await post(articlePath(articleIds.length + 1), tokens[0] ?? '')).data.id)

  let lastPull = ARTICLES
  /** Makes a random request: mostly reads and likes, sometimes a favorite or a new article. */
  return (known) => {
    const chance = Math.random()
    const articleId = pick(articleIds)
    const { id, token } = pick(users)
    const read = (path: string, token?: string): Request => ({
      ...{ method: 'GET', path, expected: () => [200], ...(token && { token }) },
    })
    const me = read('/users/me', token)
    if (chance < 0.4) return read('/ranking/articles/likes?period=weekly')
    if (chance < 0.6) return read(`/articles/${articleId}`, token)
    if (chance < 0.7) return read('/users/me/liked-articles', token)
    if (chance < 0.705) return lastPull < PULL_REQUESTS ? requestArticle(++lastPull, token) : me
    const request = chance < 0.73 ? changeFavorite(id, token, known) : changeLike(id, token, articleId)
    return request.claim && known.isBusy(request.claim.key) ? me : request
  }
}

function changeLike(userId: string, token: string, articleId: string): Request {
  const isOn = Math.random() < 0.6
  return {
    method: isOn ? 'POST' : 'DELETE',
    path: `/articles/${articleId}/language/${LANGUAGE}/like`,
    token,
    claim: { key: likeKey(userId, articleId, LANGUAGE), isOn },
    expected: isOn ? added : () => [200],
  }
}

function changeFavorite(userId: string, token: string, known: Known): Request {
  const key = favoriteKey(userId)
  if (known.stateOf(key) !== true) {
    const body = { owner: 'acme', repo: 'shop' }
    return { method: 'POST', path: '/users/me', token, body, claim: { key, isOn: true }, expected: added }
  }
  return {
    method: 'DELETE',
    path: '/users/me/favorite-repositories/acme/shop',
    token,
    claim: { key, isOn: false },
    // If the first attempt got no response, the retry may find nothing to remove.
    expected: (before) => (before === undefined ? [200, 404] : [200]),
  }
}

function added(before: boolean | undefined): number[] {
  return before === undefined ? [200, 201] : [before ? 200 : 201]
}

/** Requests an article without waiting for it. The run fails if the job never ends. */
function requestArticle(number: number, token: string): Request {
  const headers = { prefer: 'respond-async' }
  return { method: 'POST', path: articlePath(number), token, headers, expected: () => [200, 202] }
}

const articlePath = (number: number) => `/repos/acme/shop/pulls/${number}/article`

function pick<T>(list: T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}
