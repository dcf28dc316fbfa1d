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
  pageOf: PageOf,
): Promise<JsonText<PullRequest>> {
  const find = (by: RepositoryKey) => findShownPullRequest(ctx.db, audienceOf(ctx, viewer), by, number)
  const pullRequest = await findByName(ctx, viewer, name, find)
  if (!pullRequest.stored) throw pullRequestNotFound()
  const { owner, name: current } = pullRequest
  return toPullRequest(pullRequest, pullRequest.stored, pageOf(owner, current, number))
}

/** Like `readPullRequest`, by the id of a repository whose visibility was just checked for this viewer. */
export async function readIngested(ctx: Context, viewer: Viewer, hostRepoId: number, number: number, pageOf: PageOf) {
  const pullRequest = await findShownPullRequest(ctx.db, audienceOf(ctx, viewer), { hostRepoId }, number)
  if (!pullRequest?.stored) throw repositoryNotFound()
  return toPullRequest(pullRequest, pullRequest.stored, pageOf(pullRequest.owner, pullRequest.name, number))
}

/** Builds the URL of a pull request's page from the repository's current name. */
export type PageOf = (owner: string, name: string, number: number) => string

interface Found {
  owner: string
  name: string
}

/** Adds the repository's current name to the stored JSON, which is not parsed. */
function toPullRequest({ owner, name }: Found, stored: Buffer, url: string): JsonText<PullRequest> {
  const facts = JSON.stringify({ owner, repo: name, repositoryFullName: `${owner}/${name}`, url })
  return { parts: [`${facts.slice(0, -1)},`, stored.subarray(1)] }
}
