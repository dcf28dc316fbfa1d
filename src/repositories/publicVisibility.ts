import type { Context } from '../context.ts'
import { claimPublicCheck, findUnverified, markHidden, markUnverified } from '../db/repositories/publicChecks.ts'
import { type KnownRepository, type RepositoryKey, upsertRepository } from '../db/repositories/repositories.ts'
import type { Freshness } from '../db/visibility.ts'
import type { HostRepository } from '../host/codeHost.ts'
import { HostRateLimited, HostTokenRefused, HostUnavailable } from '../host/errors.ts'
import { isRecent } from '../lib/clock.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'
import { shuffled, toKnown } from './visibility.ts'

const MINUTE = 60_000
/** In minutes, with a token and without. */
const MIN_BOUND = 5
const MAX_BOUND = 60
const MAX_AT_ONCE = 20
const PUBLIC_CHECK_TIMEOUT_MS = 1000

type Proven = Pick<KnownRepository, 'host_repo_id' | 'private'> & { proven_at: Date }

/** For how long it counts that somebody was shown a public repository. Without a token we ask seldom. */
function publicMinutes(ctx: Context): number {
  return ctx.config.codeHost.token ? MIN_BOUND : MAX_BOUND
}

/** How old a proof may be that counts without a question to the code host. */
export function freshness(ctx: Context): Freshness {
  return { now: ctx.now(), public_minutes: publicMinutes(ctx) }
}

function needsPublicCheck(ctx: Context, repository: Proven): boolean {
  return !repository.private && !isRecent(repository.proven_at, ctx.now(), publicMinutes(ctx) * MINUTE)
}

/**
 * What is shown of a name, once it is proven that what is public still is. The question is asked on behalf of nobody,
 * by one node at a time, and not again for a minute when the code host fails. The reader waits a moment at most: what
 * is public stays readable while the code host is away.
 */
export async function afterPublicCheck<T extends Proven>(
  ctx: Context,
  hidden: RepositoryKey | (() => Promise<RepositoryKey | undefined>),
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await find()
  const known = found && needsPublicCheck(ctx, found) ? found.host_repo_id : undefined
  const due = found ? known : await findUnverifiedBy(ctx, hidden)
  if (due === undefined) return found
  await waitAtMost(PUBLIC_CHECK_TIMEOUT_MS, [prove(ctx, due)])
  return find()
}

async function findUnverifiedBy(
  ctx: Context,
  hidden: Parameters<typeof afterPublicCheck>[1],
): Promise<number | undefined> {
  const by = typeof hidden === 'function' ? await hidden() : hidden
  return by && findUnverified(ctx.db, by)
}

/** Asks of those that are due, waiting for nothing. */
export function checkPublicIfStale(ctx: Context, repositories: Proven[]): void {
  checkPublicNow(
    ctx,
    repositories.filter((repository) => needsPublicCheck(ctx, repository)),
  )
}

/** Asks at once, as when somebody was told that there is no such repository. */
export function checkPublicNow(ctx: Context, repositories: Proven[]): void {
  checkAllPublic(
    ctx,
    repositories.filter((repository) => !repository.private).map((repository) => repository.host_repo_id),
  )
}

/** Of what a list shows to anybody. */
export function checkUnverified(ctx: Context, entries: { host_repo_id: number; is_unproven: boolean }[]): void {
  checkAllPublic(
    ctx,
    entries.filter((entry) => entry.is_unproven).map((entry) => entry.host_repo_id),
  )
}

export function checkAllPublic(ctx: Context, hostRepoIds: number[], most = MAX_AT_ONCE): void {
  for (const hostRepoId of shuffled([...new Set(hostRepoIds)]).slice(0, most)) void prove(ctx, hostRepoId)
}

async function prove(ctx: Context, hostRepoId: number): Promise<void> {
  const askedAt = ctx.now()
  try {
    if (!(await claimPublicCheck(ctx.db, hostRepoId, askedAt))) return
    const found = await askAsService(ctx, hostRepoId)
    const now = ctx.now()
    if (found) await upsertRepository(ctx.db, toKnown(found), found.private ? now : askedAt, now)
    else await markHidden(ctx.db, hostRepoId, askedAt, now)
  } catch (error) {
    ctx.log.warn({ err: error, hostRepoId }, 'Whether a repository is still public could not be asked.')
    // It is there and does not tell: that is not the same as being away.
    if (isThere(error)) await markUnverified(ctx.db, hostRepoId, MAX_BOUND, askedAt).catch(() => {})
  }
}

function isThere(error: unknown): boolean {
  if (error instanceof HostUnavailable) return error.status !== undefined && error.status < 500
  return error instanceof HostRateLimited || error instanceof HostTokenRefused
}

async function askAsService(ctx: Context, hostRepoId: number): Promise<HostRepository | null> {
  const token = ctx.config.codeHost.token?.reveal()
  return ctx.host.repositoryById({ token }, hostRepoId).catch((error) => {
    if (!(error instanceof HostTokenRefused) || token === undefined) throw error
    ctx.log.error('The code host refuses CODE_HOST_TOKEN. It is asked without one, which it allows seldom.')
    return ctx.host.repositoryById({ token: undefined }, hostRepoId)
  })
}
