import type { Context } from '../../context.ts'
import { findShownPullRequest } from '../../db/pulls/pullRequests.ts'
import type { Name, RepositoryKey } from '../../db/repositories/repositories.ts'
import type { JsonText } from '../../lib/jsonText.ts'
import type { PullRequest } from '../../writer/facts/document.ts'
import type { Viewer } from '../accounts/session.ts'
import { findByName } from '../repositories/askForRepository.ts'
import { pullRequestNotFound, repositoryNotFound } from '../repositories/problems.ts'
import { audienceOf } from '../repositories/visibility.ts'

type Viewing = Viewer | undefined

/** Reads a stored pull request. */
export async function readPullRequest(
  ctx: Context,
  viewer: Viewing,
  name: Name,
  number: number,
): Promise<JsonText<PullRequest>> {
  const find = (by: RepositoryKey) => findShownPullRequest(ctx.db, audienceOf(ctx, viewer), by, number)
  const pullRequest = await findByName(ctx, viewer, name, find)
  if (!pullRequest.stored) throw pullRequestNotFound()
  return toPullRequest(pullRequest, pullRequest.stored)
}

/** Like `readPullRequest`, by the id of a repository whose visibility was just checked for this viewer. */
export async function readIngested(ctx: Context, viewer: Viewer, hostRepoId: number, number: number) {
  const pullRequest = await findShownPullRequest(ctx.db, audienceOf(ctx, viewer), { hostRepoId }, number)
  if (!pullRequest?.stored) throw repositoryNotFound()
  return toPullRequest(pullRequest, pullRequest.stored)
}

/** Adds the repository's current name to the stored JSON, which is not parsed. */
function toPullRequest({ owner, name }: { owner: string; name: string }, stored: Buffer): JsonText<PullRequest> {
  const names = JSON.stringify({ owner, repo: name, repositoryFullName: `${owner}/${name}` })
  return { parts: [`${names.slice(0, -1)},`, stored.subarray(1)] }
}
