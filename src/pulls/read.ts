import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findShownPullRequest } from '../db/pulls/pullRequests.ts'
import type { Name, RepositoryKey } from '../db/repositories/repositories.ts'
import type { JsonText } from '../lib/jsonText.ts'
import { askForRepository } from '../repositories/askForRepository.ts'
import { pullRequestNotFound, repositoryNotFound } from '../repositories/problems.ts'
import { afterPublicCheck } from '../repositories/publicVisibility.ts'
import { audienceOf } from '../repositories/visibility.ts'
import type { PullRequest } from './document.ts'

type Viewing = Viewer | undefined

/**
 * A pull request as it is stored. Where this viewer is shown no such repository, the code host is asked as the viewer,
 * whether there is a hidden one or none; an anonymous caller's question is put to nobody.
 */
export async function readPullRequest(
  ctx: Context,
  viewer: Viewing,
  name: Name,
  number: number,
): Promise<JsonText<PullRequest>> {
  const shown = (by: RepositoryKey) => findShownPullRequest(ctx.db, audienceOf(ctx, viewer), by, number)
  let found = await afterPublicCheck(ctx, name, () => shown(name))
  if (!found && viewer) found = await shown({ hostRepoId: await askForRepository(ctx, viewer, name) })
  if (!found) throw repositoryNotFound()
  if (found.document === null) throw pullRequestNotFound()
  return toPullRequest(found, found.document)
}

/** As `readPullRequest`, by the repository that the code host has just shown to this viewer. */
export async function readIngested(ctx: Context, viewer: Viewer, hostRepoId: number, number: number) {
  const found = await findShownPullRequest(ctx.db, audienceOf(ctx, viewer), { hostRepoId }, number)
  if (!found?.document) throw repositoryNotFound()
  return toPullRequest(found, found.document)
}

/** The name is the repository's present one; the rest is passed on as it was written. */
function toPullRequest({ owner, name }: { owner: string; name: string }, document: Buffer): JsonText<PullRequest> {
  const names = JSON.stringify({ owner, repo: name, repositoryFullName: `${owner}/${name}` })
  return { parts: [`${names.slice(0, -1)},`, document.subarray(1)] }
}
