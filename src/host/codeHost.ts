import { Octokit } from '@octokit/rest'
import type { Secret } from '../lib/secret.ts'
import { type HostCredential, requestOptions } from './credential.ts'
import type { Decode } from './decode.ts'
import { HostTokenRefused } from './errors.ts'
import { type IssueCalls, issueCalls } from './issues.ts'
import { type OrganizationCalls, organizationCalls } from './organizations.ts'
import { type PullRequestCalls, pullRequestCalls } from './pullRequests.ts'
import { limitConcurrency, pauseRateLimited } from './rateLimits.ts'
import type { HostRepository, HostSearch } from './repository.ts'
import { ABSENT_OR_FORBIDDEN, absentFor, toResponse, toResponseOrNull, toResponseOrStatus } from './responses.ts'
import { type HostCall, reportCalls, sendUntil } from './transport.ts'
import { type HostUser, toScopes } from './user.ts'

export type { HostRepository, HostSearch } from './repository.ts'
export type { HostUser } from './user.ts'

/**
 * The calls to the code host. A call returns `null` if the resource does not exist or the token cannot see it; see also
 * HostForbidden.
 */
export interface CodeHost extends PullRequestCalls, IssueCalls, OrganizationCalls {
  /**
   * Lets the next call with a rate-limited token reach the code host, but only once after an operator has resumed the
   * service.
   */
  tryNow(credential: HostCredential, resumedAt: Date): void
  tokenOwner(credential: HostCredential): Promise<HostUser | null>
  userById(credential: HostCredential, id: number): Promise<HostUser | null>
  repository(credential: HostCredential, owner: string, name: string): Promise<HostRepository | null>
  /**
   * `name`: used to find the repository if the code host does not find it by id. Another repository may have taken this
   * name.
   */
  repositoryById(
    credential: HostCredential,
    id: number,
    name?: { owner: string; name: string },
  ): Promise<HostRepository | null>
  /** The first `max` results for a query in the code host's own syntax; `null` if the code host rejects the query. */
  searchRepositories(credential: HostCredential, query: string, max: number): Promise<HostSearch | null>
}

const INVALID_SEARCH = [422]
const NOT_FOUND = 404

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** `closing` aborts running calls. `onCall` is told of each, and whether `serviceToken` was its token. */
export function createCodeHost(
  apiUrl: URL,
  now: () => Date,
  decode: Decode,
  closing: AbortSignal,
  onCall?: (call: HostCall) => void,
  serviceToken?: Secret,
): CodeHost {
  const baseUrl = apiUrl.href.replace(/\/$/, '')
  const reported = reportCalls(sendUntil(closing), onCall, serviceToken)
  const pausing = pauseRateLimited(reported, now, `${baseUrl}/search/`)
  const octokit = new Octokit({
    baseUrl,
    userAgent: 'pullpress',
    request: {
      fetch: limitConcurrency(pausing.send),
      // Octokit would parse every response on the event loop, whatever its size.
      parseSuccessResponseBody: false,
    },
    log: silent,
  })

  /** A token may be allowed to see that a private repository exists, but not to read its contents. */
  async function ifReadable(credential: HostCredential, repository: HostRepository): Promise<HostRepository | null> {
    if (!repository.private) return repository
    const parameters = { id: repository.id, state: 'all', per_page: 1, ...requestOptions(credential) }
    const call = octokit.request('GET /repositories/{id}/pulls', parameters)
    return (await toResponseOrNull(call, ABSENT_OR_FORBIDDEN)) && repository
  }

  async function repository(credential: HostCredential, owner: string, name: string): Promise<HostRepository | null> {
    const call = octokit.rest.repos.get({ owner, repo: name, ...requestOptions(credential) })
    const response = await toResponseOrNull(call, absentFor(credential))
    return response && ifReadable(credential, await decode('repository', response.bytes))
  }

  return {
    tryNow: (credential, resumedAt) => pausing.tryNow(requestOptions(credential), resumedAt),
    ...pullRequestCalls(octokit, decode),
    ...issueCalls(octokit, decode),
    ...organizationCalls(octokit, decode),
    async tokenOwner(credential) {
      const response = await toResponse(octokit.rest.users.getAuthenticated(requestOptions(credential))).catch(
        (error) => {
          if (error instanceof HostTokenRefused) return null
          throw error
        },
      )
      return (
        response && { ...(await decode('user', response.bytes)), scopes: toScopes(response.headers['x-oauth-scopes']) }
      )
    },
    async userById(credential, id) {
      const call = octokit.request('GET /user/{account_id}', { account_id: id, ...requestOptions(credential) })
      const response = await toResponseOrNull(call, ABSENT_OR_FORBIDDEN)
      return response && { ...(await decode('user', response.bytes)), scopes: [] }
    },
    repository,
    async repositoryById(credential, id, name) {
      const call = octokit.request('GET /repositories/{id}', { id, ...requestOptions(credential) })
      const result = await toResponseOrStatus(call, absentFor(credential))
      if (typeof result !== 'number') return ifReadable(credential, await decode('repository', result.bytes))
      const named = result === NOT_FOUND && name && (await repository(credential, name.owner, name.name))
      return named && named.id === id ? named : null
    },
    async searchRepositories(credential, query, max) {
      const call = octokit.rest.search.repos({ q: query, per_page: max, ...requestOptions(credential) })
      const response = await toResponseOrNull(call, INVALID_SEARCH)
      return response && decode('search', response.bytes)
    },
  }
}
