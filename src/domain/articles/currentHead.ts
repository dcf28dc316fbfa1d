import type { Context } from '../../context.ts'
import { findHead, findShownHead, markHeadAsked } from '../../db/pulls/heads.ts'
import type { Name, RepositoryKey } from '../../db/repositories/repositories.ts'
import { Problem } from '../../errors.ts'
import { HostRateLimited, HostUnavailable } from '../../host/errors.ts'
import { isRecent } from '../../lib/clock.ts'
import { waitAtMost } from '../../lib/waitAtMost.ts'
import { withLease } from '../../runtime/jobs/withLease.ts'
import type { Viewer } from '../accounts/session.ts'
import { ingest } from '../pulls/ingest.ts'
import { isForbiddenByHost, repositoryNotFound } from '../repositories/problems.ts'
import { afterPublicCheck } from '../repositories/publicVisibility.ts'
import { audienceOf } from '../repositories/visibility.ts'

const HEAD_TTL_MS = 60_000
const HEAD_REFRESH_TIMEOUT_MS = 5000

export interface CurrentHead {
  host_repo_id: number
  private: boolean
  head_sha: string
}

/**
 * The head commit of a pull request. A pull request that is not stored yet is fetched first. Otherwise the code host is
 * asked at most once a minute for all callers and for at most 5 s; if it does not answer, the stored head is used.
 */
export async function currentHead(ctx: Context, viewer: Viewer, name: Name, number: number): Promise<CurrentHead> {
  const find = (by: RepositoryKey) => findShownHead(ctx.db, audienceOf(ctx, viewer), by, number)
  const stored = await afterPublicCheck(ctx, name, () => find(name))
  const request = { name, number, rereadConversation: false }
  if (!stored?.head_sha) {
    const hostRepoId = await ingest(ctx, viewer, request)
    await markHeadAsked(ctx.db, hostRepoId, number, ctx.now())
    return requireHead(await find({ hostRepoId }))
  }
  const { host_repo_id: hostRepoId } = stored
  const isDone = async () => isHeadFresh(ctx, (await findHead(ctx.db, hostRepoId, number))?.head_asked_at)
  const work = async () => {
    await ingest(ctx, viewer, request)
    await markHeadAsked(ctx.db, hostRepoId, number, ctx.now())
  }
  const lease = `head ${hostRepoId} ${number}`
  let failure: unknown
  const leased = { name: lease, sharedAs: lease, until: viewer.until, isDone, work }
  const refresh = withLease(ctx, leased).catch(async (error) => {
    if (!isTolerable(error)) failure = error
    else ctx.log.warn({ err: error, hostRepoId, number }, 'Could not refresh the head commit; using the stored one.')
    if (isTolerable(error) && !isTokenError(error)) await markHeadAsked(ctx.db, hostRepoId, number, ctx.now())
  })
  await waitAtMost(HEAD_REFRESH_TIMEOUT_MS, [refresh])
  if (failure) throw failure
  return requireHead(await find({ hostRepoId }))
}

function isHeadFresh(ctx: Context, askedAt: Date | null | undefined): boolean {
  return askedAt != null && isRecent(askedAt, ctx.now(), HEAD_TTL_MS)
}

/** Errors after which the stored head may be used. */
function isTolerable(error: unknown): boolean {
  return error instanceof HostUnavailable || error instanceof HostRateLimited || isTokenError(error)
}

/**
 * Whether the session has no valid host token, or one that the code host forbids here. Such a session may still read
 * public pull requests and have articles written about them.
 */
function isTokenError(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return error.code === 'HOST_TOKEN_REQUIRED' || error.code === 'HOST_TOKEN_INVALID' || isForbiddenByHost(error)
}

export function requireHead(found: Awaited<ReturnType<typeof findShownHead>>): CurrentHead {
  if (!found?.head_sha) throw repositoryNotFound()
  return { host_repo_id: found.host_repo_id, private: found.private, head_sha: found.head_sha }
}
