import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { type KnownRepository, recordAnswer } from '../db/repositories.ts'
import { Problem } from '../errors.ts'
import type { HostRepository } from '../host/codeHost.ts'

const FRESH_MILLISECONDS = 5 * 60_000
const MOST_AT_ONCE = 20
const PATIENCE_MILLISECONDS = 2000

/** What the code host said of a repository: to anyone (`proven_at`), and to this session (`allowed`, `asked_at`). */
export interface Proven {
  host_repo_id: number
  private: boolean
  proven_at: Date
  allowed: boolean | null
  asked_at: Date | null
}

/** A private repository is there only for a session that proved it lately; a public one for all it was not denied to. */
export function isVisible(ctx: Context, repository: Proven): boolean {
  if (isDenied(repository)) return false
  return !repository.private || (repository.allowed === true && isFresh(ctx, repository))
}

/** Denied to this session, and nobody has been shown it in public since. */
export function isDenied({ allowed, asked_at, private: hidden, proven_at }: Proven): boolean {
  return allowed === false && asked_at !== null && (hidden || proven_at <= asked_at)
}

/**
 * Asks the code host, as the viewer, about some of those it was not asked about lately: any, so that a few that fail
 * cannot keep the rest from their turn. The viewer waits only so long; what is answered later counts the next time.
 */
export async function reprove(ctx: Context, viewer: Viewer, repositories: Proven[]): Promise<void> {
  const stale = shuffled(repositories.filter((repository) => !isFresh(ctx, repository))).slice(0, MOST_AT_ONCE)
  if (stale.length === 0) return
  let refused: Problem | undefined
  const asking = stale.map(({ host_repo_id }) =>
    ctx
      .oneQuestionAtATime(`${viewer.id} ${host_repo_id}`, () => ask(ctx, viewer, host_repo_id))
      .catch((error) => {
        if (error instanceof Problem && error.code === 'UNAUTHENTICATED') refused = error
      }),
  )
  const { promise: patience, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, PATIENCE_MILLISECONDS)
  await Promise.race([Promise.all(asking), patience])
  clearTimeout(timer)
  if (refused) throw refused
}

async function ask(ctx: Context, viewer: Viewer, hostRepoId: number): Promise<void> {
  const askedAt = ctx.now()
  const found = await askHost(ctx, viewer, (token) => ctx.host.repositoryById(token, hostRepoId))
  await recordAnswer(ctx.db, { sessionId: viewer.id, hostRepoId, repository: found && toKnown(found), askedAt })
}

export function toKnown({ id, owner, name, private: hidden }: HostRepository): KnownRepository {
  return { host_repo_id: id, owner, name, private: hidden }
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

/** What counts for a public repository is when anyone was shown it; for any other, when this session asked. */
function isFresh(ctx: Context, repository: Proven): boolean {
  const ofSession = repository.private || isDenied(repository)
  const askedAt = (ofSession ? repository.asked_at : repository.proven_at)?.getTime() ?? 0
  return ctx.now().getTime() - askedAt < FRESH_MILLISECONDS
}
