import type { Context } from '../context.ts'
import { claimProof, type KnownRepository, markHidden, upsertRepository } from '../db/repositories.ts'
import { withinPatience } from '../patience.ts'
import { toKnown } from './visibility.ts'

const MINUTE = 60_000
const MOST_AT_ONCE = 20
const PATIENCE_MILLISECONDS = 1000

type Proven = Pick<KnownRepository, 'host_repo_id' | 'private'> & { proven_at: Date }

/** Whether it has been too long since anyone was shown this public repository. Without a token we ask seldom. */
export function needsPublicProof(ctx: Context, repository: Proven): boolean {
  const bound = ctx.config.codeHost.token ? 5 * MINUTE : 60 * MINUTE
  return !repository.private && ctx.now().getTime() - repository.proven_at.getTime() > bound
}

/**
 * Asks whether a repository is still public, on behalf of nobody; one node at a time, and not again for a minute when
 * the code host fails. The reader waits a moment at most: what is public stays readable while the code host is away.
 */
export async function provePublic(ctx: Context, hostRepoId: number): Promise<void> {
  await withinPatience(PATIENCE_MILLISECONDS, [prove(ctx, hostRepoId)])
}

/** The same, waiting for nothing. */
export function provePublicLater(ctx: Context, repositories: Proven[]): void {
  const due = repositories.filter((repository) => needsPublicProof(ctx, repository))
  for (const { host_repo_id } of due.slice(0, MOST_AT_ONCE)) void prove(ctx, host_repo_id)
}

async function prove(ctx: Context, hostRepoId: number): Promise<void> {
  try {
    const askedAt = ctx.now()
    const claimed = await claimProof(ctx.db, hostRepoId, askedAt, new Date(askedAt.getTime() - MINUTE))
    if (!claimed) return
    const found = await ctx.host.repositoryById({ token: ctx.config.codeHost.token?.reveal() }, hostRepoId)
    if (found) await upsertRepository(ctx.db, toKnown(found), askedAt)
    else await markHidden(ctx.db, hostRepoId, askedAt)
  } catch (error) {
    ctx.log.warn({ err: error, hostRepoId }, 'Whether a repository is still public could not be asked.')
  }
}
