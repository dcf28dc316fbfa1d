import type { Context } from '../context.ts'
import {
  claimPublicCheck,
  findUnverified,
  forcePublicCheck,
  markHidden,
  markUnverified,
} from '../db/repositories/publicChecks.ts'
import { type RepositoryKey, upsertRepository } from '../db/repositories/repositories.ts'
import type { HostRepository } from '../host/codeHost.ts'
import { HostRateLimited, HostTokenRefused, HostUnavailable } from '../host/errors.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'
import { MINUTES_WITHOUT_TOKEN } from './freshness.ts'
import { shuffled, toKnown } from './visibility.ts'

const MAX_AT_ONCE = 20
const PUBLIC_CHECK_TIMEOUT_MS = 1000

/** A repository, and whether the database found that its public check is due. */
interface CheckedRepository {
  host_repo_id: number
  is_unproven: boolean
}

/**
 * Runs `find` after checking, if that is due, that a public repository still is public. The service itself asks, on one
 * node at a time and at most once a minute. The reader waits 1 s at most, so public content stays readable during an
 * outage of the code host.
 */
export async function afterPublicCheck<T extends CheckedRepository>(
  ctx: Context,
  hidden: RepositoryKey | (() => Promise<RepositoryKey | undefined>),
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await find()
  if (found && !found.is_unproven) return found
  const due = found?.host_repo_id ?? (await findUnverifiedBy(ctx, hidden))
  if (due === undefined) return found
  await waitAtMost(PUBLIC_CHECK_TIMEOUT_MS, [checkPublic(ctx, due)])
  return find()
}

async function findUnverifiedBy(
  ctx: Context,
  hidden: Parameters<typeof afterPublicCheck>[1],
): Promise<number | undefined> {
  const by = typeof hidden === 'function' ? await hidden() : hidden
  return by && findUnverified(ctx.db, by)
}

/** Starts the checks that are due, in the background. */
export function checkUnverified(ctx: Context, repositories: CheckedRepository[]): void {
  checkAllPublic(
    ctx,
    repositories.filter((repository) => repository.is_unproven).map((repository) => repository.host_repo_id),
  )
}

/** Starts checks even if none is due, for example after the code host denied a repository to a viewer. */
export function checkAllPublic(ctx: Context, hostRepoIds: number[], max = MAX_AT_ONCE): void {
  for (const hostRepoId of shuffled([...new Set(hostRepoIds)]).slice(0, max)) void checkPublic(ctx, hostRepoId)
}

/** `isForced`: also if the last check began within a minute, for example after a webhook delivery. */
export async function checkPublic(ctx: Context, hostRepoId: number, { isForced = false } = {}): Promise<void> {
  const askedAt = ctx.now()
  const claim = isForced ? forcePublicCheck : claimPublicCheck
  try {
    if (!(await claim(ctx.db, hostRepoId, askedAt))) return
    const found = await askAsService(ctx, hostRepoId)
    const now = ctx.now()
    if (found) await upsertRepository(ctx.db, toKnown(found), found.private ? now : askedAt, now)
    else await markHidden(ctx.db, hostRepoId, askedAt, now)
  } catch (error) {
    ctx.log.warn({ err: error, hostRepoId }, 'Could not check whether a repository is still public.')
    // Unlike an outage, a refusal to answer must not keep the repository public forever.
    if (isRefusal(error)) await markUnverified(ctx.db, hostRepoId, MINUTES_WITHOUT_TOKEN, askedAt).catch(() => {})
  }
}

function isRefusal(error: unknown): boolean {
  if (error instanceof HostUnavailable) return error.status !== undefined && error.status < 500
  return error instanceof HostRateLimited || error instanceof HostTokenRefused
}

async function askAsService(ctx: Context, hostRepoId: number): Promise<HostRepository | null> {
  const token = ctx.config.codeHost.token?.reveal()
  return ctx.host.repositoryById({ token }, hostRepoId).catch((error) => {
    if (!(error instanceof HostTokenRefused) || token === undefined) throw error
    ctx.log.error('The code host rejects CODE_HOST_TOKEN. Asking without a token, at a much lower rate limit.')
    return ctx.host.repositoryById({ token: undefined }, hostRepoId)
  })
}
