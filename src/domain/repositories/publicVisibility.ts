import type { Context } from '../../context.ts'
import {
  claimPublicCheck,
  clearForbidden,
  findUnverified,
  forcePublicCheck,
  markForbidden,
  markHidden,
  markUnverified,
} from '../../db/repositories/publicChecks.ts'
import { type RepositoryKey, upsertRepository } from '../../db/repositories/repositories.ts'
import { ANONYMOUS_MINUTES, UNANSWERED_MINUTES } from '../../db/visibility.ts'
import { HostRateLimited } from '../../host/errors.ts'
import { waitAtMost } from '../../lib/waitAtMost.ts'
import { AnonymousCheckRefused, askAsService, isRefusal } from './askAsService.ts'
import { shuffled, toKnown } from './visibility.ts'

const MAX_AT_ONCE = 20
const PUBLIC_CHECK_TIMEOUT_MS = 1000

/** A repository, and whether the database found that its public check is due. */
export interface CheckedRepository {
  host_repo_id: number
  is_unverified: boolean
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
  const row = await find()
  if (row && !row.is_unverified) return row
  const due = row?.host_repo_id ?? (await findUnverifiedBy(ctx, hidden))
  if (due === undefined) return row
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

/** Starts the public checks that are due, in the background. */
export function checkUnverified(ctx: Context, repositories: CheckedRepository[]): void {
  checkAllPublic(
    ctx,
    repositories.filter((repository) => repository.is_unverified).map((repository) => repository.host_repo_id),
  )
}

/**
 * Starts public checks in the background, even if none is due, for example after the code host denied a repository to a
 * viewer.
 */
export function checkAllPublic(ctx: Context, hostRepoIds: number[], max = MAX_AT_ONCE): void {
  for (const hostRepoId of shuffled([...new Set(hostRepoIds)]).slice(0, max)) void checkPublic(ctx, hostRepoId)
}

/**
 * Checks whether a repository is still public. If `isForced`, also when the last check began within a minute, for
 * example after a webhook delivery.
 */
export async function checkPublic(ctx: Context, hostRepoId: number, { isForced = false } = {}): Promise<void> {
  const askedAt = ctx.now()
  const claim = isForced ? forcePublicCheck : claimPublicCheck
  try {
    const check = await claim(ctx.db, hostRepoId, askedAt)
    if (!check) return
    let isForbidden = false
    const repository = await askAsService(ctx, (credential) => ctx.host.repositoryById(credential, hostRepoId, check), {
      async onForbidden() {
        isForbidden = true
        await noteForbidden(ctx, hostRepoId)
      },
    })
    const now = ctx.now()
    if (check.forbidden_at && !isForbidden) await clearForbidden(ctx.db, hostRepoId)
    if (repository) await upsertRepository(ctx.db, toKnown(repository), repository.private ? now : askedAt, now)
    else await markHidden(ctx.db, hostRepoId, askedAt, now)
  } catch (error) {
    await keepLastAnswer(ctx, hostRepoId, error, askedAt).catch(() => {})
  }
}

async function noteForbidden(ctx: Context, hostRepoId: number): Promise<void> {
  const first = await markForbidden(ctx.db, hostRepoId, ctx.now())
  if (!first) return
  const repository = `${first.owner}/${first.name}`
  ctx.log.warn(
    { hostRepoId, repository },
    'The code host forbids a repository to CODE_HOST_TOKEN. Checking it without a token.',
  )
}

/**
 * Keeps the last answer after a failed check. If the code host answers but refuses to tell, the repository is hidden
 * after a while: unlike an outage, a refusal must not keep a repository public forever. A rate limit says nothing about
 * the repository, and other clients may use up the limit for anonymous calls for hours, so the last answer is then
 * valid for longer.
 */
async function keepLastAnswer(ctx: Context, hostRepoId: number, error: unknown, now: Date): Promise<void> {
  const isAnonymous = error instanceof AnonymousCheckRefused
  if (isAnonymous) ctx.log.debug({ err: error, hostRepoId }, 'An anonymous check of a repository was refused.')
  else ctx.log.warn({ err: error, hostRepoId }, 'Could not check whether a repository is still public.')
  if (!isAnonymous && !isRefusal(error)) return
  const minutes = isAnonymous || error instanceof HostRateLimited ? UNANSWERED_MINUTES : ANONYMOUS_MINUTES
  if (await markUnverified(ctx.db, hostRepoId, minutes, now))
    ctx.log.warn({ hostRepoId, minutes }, 'Hid a repository: the code host did not confirm in time that it is public.')
}
