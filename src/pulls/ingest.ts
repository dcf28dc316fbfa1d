import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
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
import { columnsOf, versionOf } from './document.ts'
import { type Former, fetchWhole, type Sight } from './fetch.ts'
import { readFacts } from './offLoop.ts'

interface Wish {
  name: Name
  number: number
  /** Comments that were edited leave no trace on the pull request itself. */
  rereadConversation: boolean
}

type Seen = NonNullable<Awaited<ReturnType<typeof findSeen>>>

const REMEMBER_PROOF_AFTER = 60_000

/**
 * Brings a stored pull request up to date with the code host, as the viewer, and answers its repository. The first
 * question is the viewer's own proof of access; what has to be fetched after it, one fetches for all who wait.
 */
export async function ingest(ctx: Context, viewer: Viewer, wish: Wish): Promise<number> {
  const { name, number, rereadConversation } = wish
  const key = `${viewer.id} ${name.owner}/${name.repo}#${number} ${rereadConversation}`.toLowerCase()
  return ctx.oneIngestAtATime(key, () => askAndStore(ctx, viewer, wish))
}

async function askAndStore(ctx: Context, viewer: Viewer, { name, number, rereadConversation }: Wish): Promise<number> {
  const seen = await findSeen(ctx.db, viewer.id, name, number)
  const etag = seen && !rereadConversation ? await findEtag(ctx.db, etagKey(viewer, seen, number, seen.version)) : null
  const askedAt = ctx.now()
  const at = { owner: name.owner, name: name.repo, number }
  const answer = await askHost(ctx, viewer, (credential) => ctx.host.pullRequest(credential, at, etag))
  if (!answer) throw await absence(ctx, viewer, name)
  if (answer.unchanged) {
    if (!seen) throw new HostUnavailable('It says that nothing changed, of something nobody has seen.')
    await rememberUnchanged(ctx, viewer, seen, askedAt)
    return seen.host_repo_id
  }
  const sight = { pull: answer.value, etag: answer.etag }
  await rememberProof(ctx, viewer, toKnown(sight.pull.repository), askedAt, seen)
  await bringUpToDate(ctx, viewer, sight, rereadConversation)
  return sight.pull.repository.id
}

async function bringUpToDate(ctx: Context, viewer: Viewer, sight: Sight, reread: boolean): Promise<void> {
  const { repository, number } = sight.pull
  const name = `ingest ${repository.id} ${number}`
  const fetched = await ctx.withLease({
    name,
    sharedAs: `${name} ${reread}`,
    until: viewer.until,
    isDone: async () => !reread && isCurrent(await findVersion(ctx.db, repository.id, number), sight.pull),
    work: () => fetchAndStore(ctx, viewer, sight, reread),
  })
  await rememberEtag(ctx, viewer, fetched ?? sight)
}

async function fetchAndStore(ctx: Context, viewer: Viewer, sight: Sight, reread: boolean): Promise<Sight> {
  const { repository, number } = sight.pull
  const stored = await findStored(ctx.db, repository.id, number)
  // What was read in private is not carried over into what is public.
  const mayBeKept = stored && !(stored.private && !repository.private)
  const former: Former | null = mayBeKept
    ? { document: stored.document, facts: await readFacts(ctx.threads, stored.document) }
    : null
  const askedAt = ctx.now()
  const options = { former, rereadConversation: reread, threads: ctx.threads, now: ctx.now }
  const whole = await askHost(ctx, viewer, (credential) => fetchWhole(ctx.host, credential, sight, options))
  const { pull } = whole.sight
  if (pull.repository.private !== repository.private)
    await rememberProof(ctx, viewer, toKnown(pull.repository), askedAt, undefined)
  const version = whole.provisional ? `${versionOf(pull)} provisional` : versionOf(pull)
  if (stored?.version === version && whole.isUnchanged) return whole.sight
  await upsertPullRequest(ctx.db, {
    host_repo_id: pull.repository.id,
    number: pull.number,
    private: pull.repository.private,
    version,
    host_updated_at: new Date(pull.updatedAt),
    ...columnsOf(whole.facts, version),
    document: whole.document,
  })
  return whole.sight
}

function isCurrent(stored: Awaited<ReturnType<typeof findVersion>>, pull: HostPullRequest): boolean {
  if (stored?.private !== pull.repository.private) return false
  return stored.version === versionOf(pull) || stored.host_updated_at > new Date(pull.updatedAt)
}

async function rememberEtag(ctx: Context, viewer: Viewer, { pull, etag }: Sight): Promise<void> {
  if (etag === null) return
  const place = { host_repo_id: pull.repository.id }
  await upsertEtag(ctx.db, { ...etagKey(viewer, place, pull.number, versionOf(pull)), etag, seen_at: ctx.now() })
}

function etagKey(viewer: Viewer, { host_repo_id }: { host_repo_id: number }, number: number, version: string) {
  return { session_id: viewer.id, resource: `pull ${host_repo_id} ${number}`, version }
}

/** A proof that is less than a minute old is not written down again. */
async function rememberProof(
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
  const provenAt = seen && lastProof(seen)
  if (known && provenAt && isRecent(provenAt, askedAt, REMEMBER_PROOF_AFTER)) return
  const { host_repo_id: hostRepoId } = repository
  await recordAnswer(ctx.db, { sessionId: viewer.id, hostRepoId, repository, askedAt, heardAt: ctx.now() })
}

/** When this session was last let in: by anyone's proof where it is public and was not denied, else by its own. */
function lastProof({ private: hidden, allowed, asked_at, proven_at }: Seen): Date | null {
  if (hidden) return allowed ? asked_at : null
  return allowed === false ? null : proven_at
}

/** That nothing changed proves this session's access. It does not prove to anyone else that all is still public. */
async function rememberUnchanged(ctx: Context, viewer: Viewer, seen: Seen, askedAt: Date): Promise<void> {
  const { host_repo_id, owner, name, private: hidden } = seen
  if (hidden || seen.allowed === false)
    await rememberProof(ctx, viewer, { host_repo_id, owner, name, private: hidden }, askedAt, seen)
}

/** The code host says "not found" of a missing pull request and of a missing or hidden repository alike. */
async function absence(ctx: Context, viewer: Viewer, name: Name): Promise<Problem> {
  await askForRepository(ctx, viewer, name)
  return pullRequestNotFound()
}
