import type { Context } from '../../context.ts'
import { recordAnswer } from '../../db/repositories/repositories.ts'
import { Problem } from '../../errors.ts'
import { HostForbidden } from '../../host/errors.ts'
import { perContext } from '../../lib/perContext.ts'
import { singleFlight } from '../../lib/singleFlight.ts'
import { ttlCache } from '../../lib/ttlCache.ts'
import { waitAtMost } from '../../lib/waitAtMost.ts'
import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import { isPublic } from './forbiddenByHost.ts'
import { shuffled, toKnown } from './visibility.ts'

const MAX_AT_ONCE = 20
const ACCESS_CHECK_TIMEOUT_MS = 2000
/** An id that no repository has. */
const UNUSED_ID = Number.MAX_SAFE_INTEGER
const FORBIDDEN_TTL_MS = 5 * 60_000
const MAX_FORBIDDEN = 10_000

/** Running checks by session and repository, so that concurrent requests share one. */
const checksOf = perContext(() => singleFlight<void>())
/** Public repositories that the code host has just forbidden to a session's token, by session and repository. */
const forbiddenOf = perContext(({ now }: Context) => ttlCache<true>(now, FORBIDDEN_TTL_MS, MAX_FORBIDDEN))

/**
 * Rechecks with the viewer's token whether they may see these repositories: at most 20, picked at random, so that a few
 * failing ones cannot starve the rest. The viewer waits 2 s at most; later answers count for the next request.
 */
export async function recheckAccess(ctx: Context, viewer: Viewer, hostRepoIds: number[]): Promise<void> {
  let refused: Problem | undefined
  const checks = shuffled(hostRepoIds)
    .slice(0, MAX_AT_ONCE)
    .map((hostRepoId) =>
      checksOf(ctx)(`${viewer.id} ${hostRepoId}`, () => checkAccess(ctx, viewer, hostRepoId)).catch((error) => {
        if (isRefusal(error)) refused = error
      }),
    )
  await waitAtMost(ACCESS_CHECK_TIMEOUT_MS, checks)
  if (refused) throw refused
}

/**
 * Rechecks access to the repository of something that the viewer cannot see. If there is no such repository, the code
 * host is asked about an unused id instead, so that the response time does not reveal which case it was.
 */
export async function recheckHiddenAccess(ctx: Context, viewer: Viewer, hostRepoId: number | undefined): Promise<void> {
  const limited = { ...viewer, until: performance.now() + ACCESS_CHECK_TIMEOUT_MS }
  if (hostRepoId !== undefined) return recheckAccess(ctx, limited, [hostRepoId])
  let refused: Problem | undefined
  const check = checksOf(ctx)(`${viewer.id} ${UNUSED_ID}`, async () => {
    await askHost(ctx, limited, (credential) => ctx.host.repositoryById(credential, UNUSED_ID))
  }).catch((error) => {
    if (isRefusal(error)) refused = error
  })
  await waitAtMost(ACCESS_CHECK_TIMEOUT_MS, [check])
  if (refused) throw refused
}

function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'UNAUTHENTICATED'
}

async function checkAccess(ctx: Context, viewer: Viewer, hostRepoId: number): Promise<void> {
  const key = `${viewer.id} ${hostRepoId}`
  const forbidden = forbiddenOf(ctx)
  if (forbidden.get(key)) return
  const askedAt = ctx.now()
  const answer = await askHost(ctx, viewer, (credential) => ctx.host.repositoryById(credential, hostRepoId)).catch(
    async (error) => {
      if (!(error instanceof HostForbidden)) throw error
      return (await isPublic(ctx, { hostRepoId })) ? 'forbidden' : null
    },
  )
  // Do not record this as a denial: the repository is public, only this token may not read it.
  if (answer === 'forbidden') return forbidden.set(key, true)
  await recordAnswer(ctx.db, {
    sessionId: viewer.id,
    hostRepoId,
    repository: answer && toKnown(answer),
    askedAt,
    heardAt: ctx.now(),
  })
}
