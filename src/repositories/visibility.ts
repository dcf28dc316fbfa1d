import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { type KnownRepository, recordDenied, recordRepositories } from '../db/repositories.ts'
import type { HostRepository } from '../host/codeHost.ts'

const PROOF_MILLISECONDS = 5 * 60_000
const MOST_AT_ONCE = 20
const PATIENCE_MILLISECONDS = 2000

/** What is stored of a repository and of the proofs that somebody may see it. */
export interface Proven {
  host_repo_id: number
  private: boolean
  public_proven_at: Date
  session_proven_at: Date | null
}

/** A private repository is there only for a session that proved it lately; a public one for all until denied. */
export function isVisible(ctx: Context, repository: Proven): boolean {
  return !repository.private || isFresh(ctx, repository)
}

/** Asks the code host, as the viewer, about those whose proof is old, oldest first. Nobody waits long for it. */
export async function reprove(ctx: Context, viewer: Viewer, repositories: Proven[]): Promise<void> {
  const stale = repositories
    .filter((repository) => !isFresh(ctx, repository))
    .sort((one, other) => (provenAt(one)?.getTime() ?? 0) - (provenAt(other)?.getTime() ?? 0))
    .slice(0, MOST_AT_ONCE)
  if (stale.length === 0) return
  const found: HostRepository[] = []
  const denied: number[] = []
  const asking = stale.map(async ({ host_repo_id }) => {
    const repository = await askHost(ctx, viewer, (token) => ctx.host.repositoryById(token, host_repo_id))
    if (repository) found.push(repository)
    else denied.push(host_repo_id)
  })
  const { promise: patience, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, PATIENCE_MILLISECONDS)
  await Promise.race([Promise.allSettled(asking), patience])
  clearTimeout(timer)
  const [known, gone] = [found.map(toKnown), [...denied]]
  await ctx.db.transaction().execute((trx) => recordRepositories(trx, viewer.id, known, ctx.now()))
  await ctx.db.transaction().execute((trx) => recordDenied(trx, viewer.id, gone))
}

export function toKnown({ id, owner, name, private: hidden }: HostRepository): KnownRepository {
  return { host_repo_id: id, owner, name, private: hidden }
}

function isFresh(ctx: Context, repository: Proven): boolean {
  const at = provenAt(repository)
  return at !== null && ctx.now().getTime() - at.getTime() < PROOF_MILLISECONDS
}

function provenAt(repository: Proven): Date | null {
  return repository.private ? repository.session_proven_at : repository.public_proven_at
}
