import { Octokit } from '@octokit/rest'
import { HostRateLimited, HostTokenRefused, HostUnavailable } from './errors.ts'
import { restingTokens, sendUntil } from './transport.ts'

export interface HostUser {
  id: number
  login: string
  name: string | null
  email: string | null
  avatarUrl: string | null
  /** What the token may do; empty where the code host does not say. */
  scopes: string[]
}

export interface HostRepository {
  id: number
  owner: string
  name: string
  private: boolean
}

/** What we ask of the code host. `null` is its word that there is no such thing for this token. */
export interface CodeHost {
  tokenOwner(token: string): Promise<HostUser | null>
  userById(token: string | undefined, id: number): Promise<HostUser | null>
  repository(token: string, owner: string, name: string): Promise<HostRepository | null>
  repositoryById(token: string, id: number): Promise<HostRepository | null>
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
/** Hidden, gone, blocked or withheld by law: to this token it does not exist. */
const ABSENT = [403, 404, 410, 451]

/** Calls still under way when `closing` comes are given up. */
export function createCodeHost(apiUrl: URL, now: () => Date, closing: AbortSignal): CodeHost {
  const octokit = new Octokit({
    baseUrl: apiUrl.href.replace(/\/$/, ''),
    userAgent: 'pullpress',
    request: { fetch: restingTokens(sendUntil(closing), now) },
    log: silent,
  })
  const as = (token: string | undefined) => ({ headers: token ? { authorization: `Bearer ${token}` } : {} })

  return {
    async tokenOwner(token) {
      const found = await answered(octokit.rest.users.getAuthenticated(as(token))).catch((error) => {
        if (error instanceof HostTokenRefused) return null
        throw error
      })
      return found && toUser(found.data, found.headers['x-oauth-scopes'])
    },
    async userById(token, id) {
      const found = await unlessAbsent(octokit.request('GET /user/{account_id}', { account_id: id, ...as(token) }))
      return found && toUser(found.data as ApiUser)
    },
    async repository(token, owner, name) {
      const found = await unlessAbsent(octokit.rest.repos.get({ owner, repo: name, ...as(token) }))
      return found && toRepository(found.data)
    },
    async repositoryById(token, id) {
      const found = await unlessAbsent(octokit.request('GET /repositories/{id}', { id, ...as(token) }))
      return found && toRepository(found.data as ApiRepository)
    },
  }
}

async function answered<T extends { data: unknown }>(call: Promise<T>): Promise<T> {
  const answer = await call.catch((error: { status?: number; cause?: unknown }) => {
    if (error.cause instanceof HostRateLimited || error.cause instanceof HostUnavailable) throw error.cause
    if (error.status === 401) throw new HostTokenRefused()
    throw new HostUnavailable(`It answered ${error.status}.`, error.status)
  })
  // Octokit hands a body that is not JSON through as text.
  if (typeof answer.data !== 'object' || answer.data === null) throw new HostUnavailable('Its answer cannot be read.')
  return answer
}

async function unlessAbsent<T extends { data: unknown }>(call: Promise<T>): Promise<T | null> {
  try {
    return await answered(call)
  } catch (error) {
    if (error instanceof HostUnavailable && ABSENT.includes(error.status ?? 0)) return null
    throw error
  }
}

type ApiUser = { id: number; login: string; name?: string | null; email?: string | null; avatar_url?: string }
type ApiRepository = { id: number; name: string; private: boolean; owner: { login: string } }

const MOST_SCOPES = 100

function toUser(data: ApiUser, scopes = ''): HostUser {
  understood(isId(data.id) && isText(data.login, 255) && [data.name, data.email, data.avatar_url].every(isOptionalText))
  return {
    id: data.id,
    login: data.login,
    name: data.name || null,
    email: data.email || null,
    avatarUrl: data.avatar_url || null,
    scopes: scopes
      .split(/, */)
      .filter((scope) => isText(scope, 100))
      .slice(0, MOST_SCOPES),
  }
}

function toRepository(data: ApiRepository): HostRepository {
  understood(isId(data.id) && isName(data.owner?.login) && isName(data.name) && typeof data.private === 'boolean')
  return { id: data.id, owner: data.owner.login, name: data.name, private: data.private }
}

/** Nothing of the code host's goes on that the contract could not show. */
function understood(fits: boolean): void {
  if (!fits) throw new HostUnavailable('Its answer cannot be understood.')
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function isText(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= longest && !value.includes('\0')
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || value === null || value === '' || isText(value, 1000)
}

function isName(value: unknown): boolean {
  return isText(value, 100) && /^\.{0,2}[\w-][\w.-]*$/.test(value as string)
}
