import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { type KnownRepository, recordAnswer } from '../db/repositories/repositories.ts'
import type { Audience } from '../db/visibility.ts'
import { Problem } from '../errors.ts'
import type { HostRepository } from '../host/codeHost.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'

const MAX_AT_ONCE = 20
const ACCESS_CHECK_TIMEOUT_MS = 2000
const NOBODYS_ID = Number.MAX_SAFE_INTEGER

export function audienceOf(ctx: Context, session: { id: string | null } | undefined): Audience {
  return { sessionId: session?.id ?? null, now: ctx.now() }
}

/**
 * Asks the code host, as the viewer, about some of those it was not asked about lately: any, so that a few that fail
 * cannot keep the rest from their turn. The viewer waits only so long; what is answered later counts the next time.
 */
export async function recheckAccess(ctx: Context, viewer: Viewer, hostRepoIds: number[]): Promise<void> {
  let refused: Problem | undefined
  const asking = shuffled(hostRepoIds)
    .slice(0, MAX_AT_ONCE)
    .map((hostRepoId) =>
      ctx
        .oneQuestionAtATime(`${viewer.id} ${hostRepoId}`, () => ask(ctx, viewer, hostRepoId))
        .catch((error) => {
          if (isRefusal(error)) refused = error
        }),
    )
  await waitAtMost(ACCESS_CHECK_TIMEOUT_MS, asking)
  if (refused) throw refused
}

/**
 * Asks about the one repository behind something that is not shown. Where there is nothing behind it, about one that
 * nobody has, so that the code host is asked in either case and the caller cannot tell which it was.
 */
export async function recheckHiddenAccess(ctx: Context, viewer: Viewer, hostRepoId: number | undefined): Promise<void> {
  const asking = { ...viewer, until: performance.now() + ACCESS_CHECK_TIMEOUT_MS }
  if (hostRepoId !== undefined) return recheckAccess(ctx, asking, [hostRepoId])
  let refused: Problem | undefined
  const question = ctx
    .oneQuestionAtATime(`${viewer.id} ${NOBODYS_ID}`, async () => {
      await askHost(ctx, asking, (credential) => ctx.host.repositoryById(credential, NOBODYS_ID))
    })
    .catch((error) => {
      if (isRefusal(error)) refused = error
    })
  await waitAtMost(ACCESS_CHECK_TIMEOUT_MS, [question])
  if (refused) throw refused
}

function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'UNAUTHENTICATED'
}

async function ask(ctx: Context, viewer: Viewer, hostRepoId: number): Promise<void> {
  const askedAt = ctx.now()
  const found = await askHost(ctx, viewer, (credential) => ctx.host.repositoryById(credential, hostRepoId))
  await recordAnswer(ctx.db, {
    sessionId: viewer.id,
    hostRepoId,
    repository: found && toKnown(found),
    askedAt,
    heardAt: ctx.now(),
  })
}

export function toKnown({ id, owner, name, private: hidden }: HostRepository): KnownRepository {
  return { host_repo_id: id, owner, name, private: hidden }
}

export function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
