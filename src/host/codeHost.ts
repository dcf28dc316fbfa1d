import { Octokit } from '@octokit/rest'
import { answered, unlessAbsent } from './answers.ts'
import { asCaller, type Caller } from './caller.ts'
import { HostTokenRefused } from './errors.ts'
import { isId, isOptionalText, isText, understood } from './fields.ts'
import { type PullRequestCalls, pullRequestCalls } from './pullRequests.ts'
import { type ApiRepository, type HostRepository, toRepository } from './repository.ts'
import { type HostCall, politely, restingTokens, sendUntil, watched } from './transport.ts'

export type { HostRepository } from './repository.ts'

export interface HostUser {
  id: number
  login: string
  name: string | null
  email: string | null
  avatarUrl: string | null
  /** What the token may do; empty where the code host does not say. */
  scopes: string[]
}

/** What we ask of the code host. `null` is its word that there is no such thing for this token. */
export interface CodeHost extends PullRequestCalls {
  tokenOwner(caller: Caller): Promise<HostUser | null>
  userById(caller: Caller, id: number): Promise<HostUser | null>
  repository(caller: Caller, owner: string, name: string): Promise<HostRepository | null>
  repositoryById(caller: Caller, id: number): Promise<HostRepository | null>
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Calls still under way when `closing` comes are given up. */
export function createCodeHost(
  apiUrl: URL,
  now: () => Date,
  closing: AbortSignal,
  onCall?: (call: HostCall) => void,
): CodeHost {
  const octokit = new Octokit({
    baseUrl: apiUrl.href.replace(/\/$/, ''),
    userAgent: 'pullpress',
    request: { fetch: politely(restingTokens(watched(sendUntil(closing), onCall), now)) },
    log: silent,
  })

  /** A token may be let see that a private repository is there and yet read nothing of what it holds. */
  async function ifReadable(caller: Caller, repository: HostRepository): Promise<HostRepository | null> {
    if (!repository.private) return repository
    const asked = { id: repository.id, state: 'all', per_page: 1, ...asCaller(caller) }
    return (await unlessAbsent(octokit.request('GET /repositories/{id}/pulls', asked))) && repository
  }

  return {
    ...pullRequestCalls(octokit),
    async tokenOwner(caller) {
      const found = await answered(octokit.rest.users.getAuthenticated(asCaller(caller))).catch((error) => {
        if (error instanceof HostTokenRefused) return null
        throw error
      })
      return found && toUser(found.data, found.headers['x-oauth-scopes'])
    },
    async userById(caller, id) {
      const asked = octokit.request('GET /user/{account_id}', { account_id: id, ...asCaller(caller) })
      const found = await unlessAbsent(asked)
      return found && toUser(found.data as ApiUser)
    },
    async repository(caller, owner, name) {
      const found = await unlessAbsent(octokit.rest.repos.get({ owner, repo: name, ...asCaller(caller) }))
      return found && ifReadable(caller, toRepository(found.data))
    },
    async repositoryById(caller, id) {
      const found = await unlessAbsent(octokit.request('GET /repositories/{id}', { id, ...asCaller(caller) }))
      return found && ifReadable(caller, toRepository(found.data as ApiRepository))
    },
  }
}

type ApiUser = { id: number; login: string; name?: string | null; email?: string | null; avatar_url?: string }

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
