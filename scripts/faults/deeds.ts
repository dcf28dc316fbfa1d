import type { Text, World } from './world.ts'

/** One request of the load. */
export interface Action {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  token?: string | undefined
  headers?: Record<string, string>
  body?: object
  /** Whether the service calls the code host for it. */
  callsHost?: boolean
  /** The state that an acknowledgement promises. */
  claim?: Claim
  /** The statuses that acknowledge it; `before` is the previous state, if known. */
  expected(before: boolean | undefined): number[]
}

export interface Claim {
  of: 'likes' | 'favorites'
  key: string
  isOn: boolean
}

/** The state according to all acknowledgements so far. */
export interface Knowledge {
  stateOf(key: string): boolean | undefined
  isBusy(key: string): boolean
}

const REPOSITORY = { owner: 'acme', repo: 'shop' }
const READ = () => [200]

/** Mostly reads and likes, sometimes a favorite or a new article. */
export function nextAction(world: World, known: Knowledge): Action {
  const chance = Math.random()
  const text = picked(world.texts)
  const { id, token } = picked(world.users)
  const bare = { method: 'GET', path: '/users/me', token, expected: READ } as const
  if (chance < 0.4) return { ...bare, path: '/ranking/articles/likes?period=weekly', token: undefined }
  if (chance < 0.6) return { ...bare, path: `/articles/${text.articleId}` }
  if (chance < 0.7) return { ...bare, path: '/users/me/liked-articles' }
  if (chance < 0.705) return requestArticle(world.nextPull(), token) ?? bare
  const action = chance < 0.73 ? changeFavorite(id, token, known) : changeLike(id, token, text)
  return action.claim && known.isBusy(action.claim.key) ? bare : action
}

function changeLike(userId: string, token: string, { articleId, language }: Text): Action {
  const isOn = Math.random() < 0.6
  return {
    method: isOn ? 'POST' : 'DELETE',
    path: `/articles/${articleId}/language/${language}/like`,
    token,
    claim: { of: 'likes', key: `${userId} ${articleId} ${language}`, isOn },
    expected: (before) => (isOn ? added(before) : [200]),
  }
}

function changeFavorite(userId: string, token: string, known: Knowledge): Action {
  const key = `${userId} favorite`
  if (known.stateOf(key) !== true)
    return {
      method: 'POST',
      path: '/users/me',
      token,
      body: REPOSITORY,
      callsHost: true,
      claim: { of: 'favorites', key, isOn: true },
      expected: added,
    }
  return {
    method: 'DELETE',
    path: `/users/me/favorite-repositories/${REPOSITORY.owner}/${REPOSITORY.repo}`,
    token,
    claim: { of: 'favorites', key, isOn: false },
    // If the first attempt got no response, the retry may find nothing to remove.
    expected: (before) => (before === undefined ? [200, 404] : [200]),
  }
}

function added(before: boolean | undefined): number[] {
  return before === undefined ? [200, 201] : [before ? 200 : 201]
}

/** Requests an article without waiting for it. The run fails if the job never ends. */
function requestArticle(number: number | undefined, token: string): Action | undefined {
  if (number === undefined) return undefined
  return {
    method: 'POST',
    path: `/repos/${REPOSITORY.owner}/${REPOSITORY.repo}/pulls/${number}/article`,
    token,
    headers: { prefer: 'respond-async' },
    callsHost: true,
    expected: () => [200, 202],
  }
}

function picked<T>(list: T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}
