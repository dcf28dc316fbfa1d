import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { isCurrentFormat } from '../db/pulls/documentFormat.ts'
import { findEtag, upsertEtag } from '../db/pulls/etags.ts'
import { findSeen, findStored, findVersion, upsertPullRequest } from '../db/pulls/pullRequests.ts'
import { type KnownRepository, type Name, recordAnswer } from '../db/repositories/repositories.ts'
import type { Problem } from '../errors.ts'
import { HostUnavailable } from '../host/errors.ts'
import type { HostPullRequest } from '../host/pullRequest.ts'
import { isRecent } from '../lib/clock.ts'
import { askForRepository } from '../repositories/askForRepository.ts'
import { pullRequestNotFound } from '../repositories/problems.ts'
import { toKnown } from '../repositories/visibility.ts'
import { versionOf } from './document.ts'
import { fetchWhole, type PreviousDocument, type Snapshot } from './fetch.ts'
import { storeIssueEtags, withEtags } from './issueEtags.ts'
import { readFacts } from './offLoop.ts'
import { pullColumnsOf } from './pullColumns.ts'

interface IngestRequest {
  name: Name
  number: number
  /** Edits of comments do not change the pull request resource, so only a forced reread finds them. */
  rereadConversation: boolean
}

type Seen = NonNullable<Awaited<ReturnType<typeof findSeen>>>
type Stored = NonNullable<Awaited<ReturnType<typeof findStored>>>

const RECORD_VISIBILITY_AFTER_MS = 60_000

/**
 * Refreshes a stored pull request from the code host with the viewer's token and returns its repository id. The first
 * request verifies the viewer's own access; the rest is fetched once for all concurrent callers.
 */
export async function ingest(ctx: Context, viewer: Viewer, request: IngestRequest): Promise<number> {
  const { name, number, rereadConversation } = request
  const key = `${viewer.id} ${name.owner}/${name.repo}#${number} ${rereadConversation}`.toLowerCase()
  return ctx.gates.ingests(key, () => askAndStore(ctx, viewer, request))
}

async function askAndStore(
  ctx: Context,
  viewer: Viewer,
  { name, number, rereadConversation }: IngestRequest,
): Promise<number> {
  const seen = await findSeen(ctx.db, viewer.id, name, number)
  const mayBeUnchanged = seen && isCurrentFormat(seen.version) && !rereadConversation
  const etag = mayBeUnchanged ? await findEtag(ctx.db, etagKey(viewer, seen, number, seen.version)) : null
  const askedAt = ctx.now()
  const at = { owner: name.owner, name: name.repo, number }
  const answer = await askHost(ctx, viewer, (credential) => ctx.host.pullRequest(credential, at, etag))
  if (!answer) throw await notFoundProblem(ctx, viewer, name)
  if (answer.unchanged) {
    if (!seen) throw new HostUnavailable('The code host answered 304 for a pull request that is not stored.')
    await recordUnchanged(ctx, viewer, seen, askedAt)
    return seen.host_repo_id
  }
  const snapshot = { pull: answer.value, etag: answer.etag }
  await recordVisibility(ctx, viewer, toKnown(snapshot.pull.repository), askedAt, seen)
  await refresh(ctx, viewer, snapshot, rereadConversation)
  return snapshot.pull.repository.id
}

async function refresh(ctx: Context, viewer: Viewer, snapshot: Snapshot, reread: boolean): Promise<void> {
  const { repository, number } = snapshot.pull
  const name = `ingest ${repository.id} ${number}`
  const fetched = await ctx.gates.withLease({
    name,
    sharedAs: `${name} ${reread}`,
    until: viewer.until,
    isDone: async () => !reread && isCurrent(await findVersion(ctx.db, repository.id, number), snapshot.pull),
    work: () => fetchAndStore(ctx, viewer, snapshot, reread),
  })
  await storeEtag(ctx, viewer, fetched ?? snapshot)
}

async function fetchAndStore(ctx: Context, viewer: Viewer, snapshot: Snapshot, reread: boolean): Promise<Snapshot> {
  const { repository, number } = snapshot.pull
  const stored = await findStored(ctx.db, repository.id, number)
  const previous =
    stored && isReusable(stored, repository) ? await previousOf(ctx, viewer, repository.id, stored) : null
  const askedAt = ctx.now()
  const options = { previous, rereadConversation: reread, threads: ctx.threads, now: ctx.now }
  const result = await askHost(ctx, viewer, (credential) => fetchWhole(ctx.host, credential, snapshot, options))
  const { pull } = result.snapshot
  if (pull.repository.private !== repository.private)
    await recordVisibility(ctx, viewer, toKnown(pull.repository), askedAt, undefined)
  const version = result.provisional ? `${versionOf(pull)} provisional` : versionOf(pull)
  if (stored?.version !== version || !result.isUnchanged)
    await upsertPullRequest(ctx.db, {
      host_repo_id: pull.repository.id,
      number: pull.number,
      private: pull.repository.private,
      version,
      host_updated_at: new Date(pull.updatedAt),
      ...pullColumnsOf(result.facts, version),
      document: result.document,
    })
  await storeIssueEtags(ctx, viewer, pull.repository.id, result.issues)
  return result.snapshot
}

/**
 * A document of the former format lacks fields, and one read while the repository was private must not be reused after
 * it became public.
 */
function isReusable(stored: Stored, repository: { private: boolean }): boolean {
  return isCurrentFormat(stored.version) && !(stored.private && !repository.private)
}

async function previousOf(
  ctx: Context,
  viewer: Viewer,
  hostRepoId: number,
  { document }: Stored,
): Promise<PreviousDocument> {
  const facts = await readFacts(ctx.threads, document)
  return { document, facts, issues: await withEtags(ctx, viewer, hostRepoId, facts.linkedIssues) }
}

function isCurrent(stored: Awaited<ReturnType<typeof findVersion>>, pull: HostPullRequest): boolean {
  if (stored?.private !== pull.repository.private) return false
  return stored.version === versionOf(pull) || stored.host_updated_at > new Date(pull.updatedAt)
}

async function storeEtag(ctx: Context, viewer: Viewer, { pull, etag }: Snapshot): Promise<void> {
  if (etag === null) return
  const place = { host_repo_id: pull.repository.id }
  await upsertEtag(ctx.db, { ...etagKey(viewer, place, pull.number, versionOf(pull)), etag, seen_at: ctx.now() })
}

function etagKey(viewer: Viewer, { host_repo_id }: { host_repo_id: number }, number: number, version: string) {
  return { session_id: viewer.id, resource: `pull ${host_repo_id} ${number}`, version }
}

/** Skips the write if the last visibility check is less than a minute old. */
async function recordVisibility(
  ctx: Context,
  viewer: Viewer,
  repository: KnownRepository,
  askedAt: Date,
  seen: Seen | undefined,
): Promise<void> {
  const known =
    seen?.host_repo_id === repository.host_repo_id &&
    seen.owner === repository.owner &&
    seen.name === repository.name &&
    seen.private === repository.private
  const checkedAt = seen && lastVisibilityCheck(seen)
  if (known && checkedAt && isRecent(checkedAt, askedAt, RECORD_VISIBILITY_AFTER_MS)) return
  const { host_repo_id: hostRepoId } = repository
  await recordAnswer(ctx.db, { sessionId: viewer.id, hostRepoId, repository, askedAt, heardAt: ctx.now() })
}

/** The last successful check: anyone's if the repository is public and did not deny this session, else its own. */
function lastVisibilityCheck({ private: hidden, allowed, asked_at, proven_at }: Seen): Date | null {
  if (hidden) return allowed ? asked_at : null
  return allowed === false ? null : proven_at
}

/** A 304 proves this session's access. It does not prove that the repository is still public. */
async function recordUnchanged(ctx: Context, viewer: Viewer, seen: Seen, askedAt: Date): Promise<void> {
  const { host_repo_id, owner, name, private: hidden } = seen
  if (hidden || seen.allowed === false)
    await recordVisibility(ctx, viewer, { host_repo_id, owner, name, private: hidden }, askedAt, seen)
}

/** The code host answers 404 both for a missing pull request and for a missing or hidden repository. */
async function notFoundProblem(ctx: Context, viewer: Viewer, name: Name): Promise<Problem> {
  await askForRepository(ctx, viewer, name)
  return pullRequestNotFound()
}
