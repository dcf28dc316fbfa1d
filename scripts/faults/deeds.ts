import type { Text, World } from './world.ts'

/** One thing that somebody does. */
export interface Deed {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  token?: string | undefined
  headers?: Record<string, string>
  body?: object
  /** Whether the code host is asked for it, too. */
  asksHost?: boolean
  /** What it makes true once it is acknowledged. */
  claim?: Claim
  /** The statuses that acknowledge it, where it is known how things stood before, or where it is not. */
  expected(before: boolean | undefined): number[]
}

export interface Claim {
  of: 'likes' | 'favorites'
  key: string
  isOn: boolean
}

/** How things stand as far as anybody was told. */
export interface Knowledge {
  stateOf(key: string): boolean | undefined
  isBusy(key: string): boolean
}

const REPOSITORY = { owner: 'acme', repo: 'shop' }
const READ = () => [200]

/** Mostly reading and liking, now and then a favorite or a new article. */
export function nextDeed(world: World, known: Knowledge): Deed {
  const chance = Math.random()
  const text = picked(world.texts)
  const { id, token } = picked(world.users)
  const bare = { method: 'GET', path: '/users/me', token, expected: READ } as const
  if (chance < 0.4) return { ...bare, path: '/ranking/articles/likes?period=weekly', token: undefined }
  if (chance < 0.6) return { ...bare, path: `/articles/${text.articleId}` }
  if (chance < 0.7) return { ...bare, path: '/users/me/liked-articles' }
  if (chance < 0.705) return articleWanted(world.nextPull(), token) ?? bare
  const deed = chance < 0.73 ? favoriteChanged(id, token, known) : likeChanged(id, token, text)
  return deed.claim && known.isBusy(deed.claim.key) ? bare : deed
}

function likeChanged(userId: string, token: string, { articleId, language }: Text): Deed {
  const isOn = Math.random() < 0.6
  return {
    method: isOn ? 'POST' : 'DELETE',
    path: `/articles/${articleId}/language/${language}/like`,
    token,
    claim: { of: 'likes', key: `${userId} ${articleId} ${language}`, isOn },
    expected: (before) => (isOn ? added(before) : [200]),
  }
}

function favoriteChanged(userId: string, token: string, known: Knowledge): Deed {
  const key = `${userId} favorite`
  if (known.stateOf(key) !== true)
    return {
      method: 'POST',
      path: '/users/me',
      token,
      body: REPOSITORY,
      asksHost: true,
      claim: { of: 'favorites', key, isOn: true },
      expected: added,
    }
  return {
    method: 'DELETE',
    path: `/users/me/favorite-repositories/${REPOSITORY.owner}/${REPOSITORY.repo}`,
    token,
    claim: { of: 'favorites', key, isOn: false },
    // Where the first try was not answered, the second may find nothing left to remove.
    expected: (before) => (before === undefined ? [200, 404] : [200]),
  }
}

function added(before: boolean | undefined): number[] {
  return before === undefined ? [200, 201] : [before ? 200 : 201]
}

/** To be written later: the job that is answered must come to its end. */
function articleWanted(number: number | undefined, token: string): Deed | undefined {
  if (number === undefined) return undefined
  return {
    method: 'POST',
    path: `/repos/${REPOSITORY.owner}/${REPOSITORY.repo}/pulls/${number}/article`,
    token,
    headers: { prefer: 'respond-async' },
    asksHost: true,
    expected: () => [200, 202],
  }
}

function picked<T>(list: T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}
