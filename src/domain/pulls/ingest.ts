import type { Context } from '../../context.ts'
import { isCurrentFormat } from '../../db/pulls/documentFormat.ts'
import { findEtag } from '../../db/pulls/etags.ts'
import { findSeen } from '../../db/pulls/pullRequests.ts'
import type { KnownRepository, Name } from '../../db/repositories/repositories.ts'
import type { Problem } from '../../errors.ts'
import { HostForbidden, HostUnavailable } from '../../host/errors.ts'
import { isRecent } from '../../lib/clock.ts'
import { perContext } from '../../lib/perContext.ts'
import { singleFlight } from '../../lib/singleFlight.ts'
import type { Viewer } from '../accounts/session.ts'
import { askForRepository } from '../repositories/askForRepository.ts'
import { forbiddenByHost } from '../repositories/forbiddenByHost.ts'
import { pullRequestNotFound } from '../repositories/problems.ts'
import { requireNotHidden } from '../repositories/requireNotHidden.ts'
import { audienceOf, toKnown } from '../repositories/visibility.ts'
import { type HostReader, viewerReader } from './hostReader.ts'
import { etagKey, refreshStored } from './refreshStored.ts'

interface IngestRequest {
  name: Name
  number: number
  /** Whether to read comments again in any case: edits of comments do not change the pull request resource. */
  rereadConversation: boolean
}

type Seen = NonNullable<Awaited<ReturnType<typeof findSeen>>>

const RECORD_VISIBILITY_AFTER_MS = 60_000

/** Running requests by session and pull request, so that concurrent callers share one. */
const ingests = perContext(() => singleFlight<number>())

/**
 * Refreshes a stored pull request from the code host with the viewer's token and returns its repository id. The first
 * request verifies the viewer's own access; the rest is fetched once for all concurrent callers.
 */
export async function ingest(ctx: Context, viewer: Viewer, request: IngestRequest): Promise<number> {
  const { name, number, rereadConversation } = request
  const key = `${viewer.id} ${name.owner}/${name.repo}#${number} ${rereadConversation}`.toLowerCase()
  return ingests(ctx)(key, () => askAndStore(ctx, viewer, request))
}

async function askAndStore(
  ctx: Context,
  viewer: Viewer,
  { name, number, rereadConversation }: IngestRequest,
): Promise<number> {
  const reader = viewerReader(ctx, viewer)
  // This check is repeated after the code host has answered: only then is it known whether the viewer can see the
  // repository.
  await requireNotHidden(ctx, audienceOf(ctx, viewer), name, number)
  const seen = await findSeen(ctx.db, viewer.id, name, number)
  const mayBeUnchanged = seen && isCurrentFormat(seen.version) && !rereadConversation
  const etag = mayBeUnchanged
    ? await findEtag(ctx.db, { session_id: viewer.id, ...etagKey(seen, number, seen.version) })
    : null
  const askedAt = ctx.now()
  const at = { owner: name.owner, name: name.repo, number }
  const answer = await reader
    .ask((credential) => ctx.host.pullRequest(credential, at, etag))
    .catch(async (error) => {
      throw error instanceof HostForbidden ? await forbiddenProblem(ctx, viewer, name, error) : error
    })
  if (!answer) throw await notFoundProblem(ctx, viewer, name)
  if (answer.unchanged) {
    if (!seen) throw new HostUnavailable('The code host answered 304 for a pull request that is not stored.')
    await recordUnchanged(reader, seen, askedAt)
    await requireNotHidden(ctx, audienceOf(ctx, viewer), { hostRepoId: seen.host_repo_id }, number)
    return seen.host_repo_id
  }
  const snapshot = { pull: answer.value, etag: answer.etag }
  await recordVisibility(reader, toKnown(snapshot.pull.repository), askedAt, seen)
  await requireNotHidden(ctx, audienceOf(ctx, viewer), { hostRepoId: snapshot.pull.repository.id }, number)
  await refreshStored(ctx, reader, snapshot, rereadConversation)
  return snapshot.pull.repository.id
}

/** Records a visibility check, unless the last one is less than a minute old and nothing has changed. */
async function recordVisibility(
  reader: HostReader,
  repository: KnownRepository,
  askedAt: Date,
  seen: Seen | undefined,
): Promise<void> {
  const isUnchanged =
    seen?.host_repo_id === repository.host_repo_id &&
    seen.owner === repository.owner &&
    seen.name === repository.name &&
    seen.private === repository.private
  const checkedAt = seen && lastVisibilityCheck(seen)
  if (isUnchanged && checkedAt && isRecent(checkedAt, askedAt, RECORD_VISIBILITY_AFTER_MS)) return
  await reader.recordVisibility(repository, askedAt)
}

/**
 * The time of the last successful visibility check: for a public repository that of any session (null if this session
 * was denied it), for a private one that of this session.
 */
function lastVisibilityCheck({ private: hidden, allowed, asked_at, verified_at }: Seen): Date | null {
  if (hidden) return allowed ? asked_at : null
  return allowed === false ? null : verified_at
}

/**
 * Records the visibility after a 304, which proves this session's access, but not that the repository is still public.
 */
async function recordUnchanged(reader: HostReader, seen: Seen, askedAt: Date): Promise<void> {
  const { host_repo_id, owner, name, private: hidden } = seen
  if (hidden || seen.allowed === false)
    await recordVisibility(reader, { host_repo_id, owner, name, private: hidden }, askedAt, seen)
}

/**
 * The problem after a 404, which the code host answers both for a missing pull request and for a missing or hidden
 * repository.
 */
async function notFoundProblem(ctx: Context, viewer: Viewer, name: Name): Promise<Problem> {
  await askForRepository(ctx, viewer, name)
  return pullRequestNotFound()
}

/** The problem after a 403: the code host may forbid the whole repository to the token, or only its pull requests. */
async function forbiddenProblem(ctx: Context, viewer: Viewer, name: Name, error: HostForbidden): Promise<Problem> {
  const hostRepoId = await askForRepository(ctx, viewer, name)
  return (await forbiddenByHost(ctx, { hostRepoId }, error)) ?? pullRequestNotFound()
}
