import type { Context } from '../context.ts'
import { claimPublicCheck, findUnverified, markHidden, markUnverified } from '../db/repositories/publicChecks.ts'
import { type KnownRepository, type RepositoryKey, upsertRepository } from '../db/repositories/repositories.ts'
import type { Freshness } from '../db/visibility.ts'
import type { HostRepository } from '../host/codeHost.ts'
import { HostRateLimited, HostTokenRefused, HostUnavailable } from '../host/errors.ts'
import { isRecent } from '../lib/clock.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'
import { shuffled, toKnown } from './visibility.ts'

const MINUTE_MS = 60_000
/** How long a check that a repository is public counts, with a token of our own and without. */
const MINUTES_WITH_TOKEN = 5
const MINUTES_WITHOUT_TOKEN = 60
const MAX_AT_ONCE = 20
const PUBLIC_CHECK_TIMEOUT_MS = 1000

type CheckedRepository = Pick<KnownRepository, 'host_repo_id' | 'private'> & { proven_at: Date }

/** How long a public visibility check counts. Without a token the rate limit is low, so checks are rarer. */
function publicMinutes(ctx: Context): number {
  return ctx.config.codeHost.token ? MINUTES_WITH_TOKEN : MINUTES_WITHOUT_TOKEN
}

/** How old a visibility check may be before the code host is asked again. */
export function freshness(ctx: Context): Freshness {
  return { now: ctx.now(), public_minutes: publicMinutes(ctx) }
}

function needsPublicCheck(ctx: Context, repository: CheckedRepository): boolean {
  return !repository.private && !isRecent(repository.proven_at, ctx.now(), publicMinutes(ctx) * MINUTE_MS)
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
  const stale = found && needsPublicCheck(ctx, found) ? found.host_repo_id : undefined
  const due = found ? stale : await findUnverifiedBy(ctx, hidden)
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
export function checkPublicIfStale(ctx: Context, repositories: CheckedRepository[]): void {
  checkPublicNow(
    ctx,
    repositories.filter((repository) => needsPublicCheck(ctx, repository)),
  )
}

/** Starts checks even if none is due, for example after the code host denied a repository to a viewer. */
export function checkPublicNow(ctx: Context, repositories: CheckedRepository[]): void {
  checkAllPublic(
    ctx,
    repositories.filter((repository) => !repository.private).map((repository) => repository.host_repo_id),
  )
}

/** Starts the checks that are due for the entries of a public list. */
export function checkUnverified(ctx: Context, entries: { host_repo_id: number; is_unproven: boolean }[]): void {
  checkAllPublic(
    ctx,
    entries.filter((entry) => entry.is_unproven).map((entry) => entry.host_repo_id),
  )
}

export function checkAllPublic(ctx: Context, hostRepoIds: number[], max = MAX_AT_ONCE): void {
  for (const hostRepoId of shuffled([...new Set(hostRepoIds)]).slice(0, max)) void checkPublic(ctx, hostRepoId)
}

async function checkPublic(ctx: Context, hostRepoId: number): Promise<void> {
  const askedAt = ctx.now()
  try {
    if (!(await claimPublicCheck(ctx.db, hostRepoId, askedAt))) return
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
