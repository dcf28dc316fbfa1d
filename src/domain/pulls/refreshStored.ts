import type { Context } from '../../context.ts'
import { isCurrentFormat } from '../../db/pulls/documentFormat.ts'
import { upsertEtag } from '../../db/pulls/etags.ts'
import { findStored, findVersion, upsertPullRequest } from '../../db/pulls/pullRequests.ts'
import type { HostPullRequest } from '../../host/pullRequest.ts'
import { withLease } from '../../runtime/jobs/withLease.ts'
import { toKnown } from '../repositories/visibility.ts'
import { versionOf } from './document.ts'
import { fetchWhole, type PreviousDocument, type Snapshot } from './fetch.ts'
import type { HostReader } from './hostReader.ts'
import { storeIssueEtags, withEtags } from './issueEtags.ts'
import { readFacts } from './offLoop.ts'
import { pullColumnsOf } from './pullColumns.ts'

type Stored = NonNullable<Awaited<ReturnType<typeof findStored>>>

/**
 * Fetches the rest of a pull request that a reader has just seen, and stores it, once for all concurrent callers. Does
 * nothing if that state is stored already.
 */
export async function refreshStored(
  ctx: Context,
  reader: HostReader,
  snapshot: Snapshot,
  reread: boolean,
): Promise<void> {
  const { repository, number } = snapshot.pull
  const name = `ingest ${repository.id} ${number}`
  const fetched = await withLease(ctx, {
    name,
    sharedAs: `${name} ${reread}`,
    until: reader.until,
    isDone: async () => !reread && isCurrent(await findVersion(ctx.db, repository.id, number), snapshot.pull),
    work: () => fetchAndStore(ctx, reader, snapshot, reread),
  })
  await storeEtag(ctx, reader, fetched ?? snapshot)
}

async function fetchAndStore(ctx: Context, reader: HostReader, snapshot: Snapshot, reread: boolean): Promise<Snapshot> {
  const { repository, number } = snapshot.pull
  const stored = await findStored(ctx.db, repository.id, number)
  const previous =
    stored && isReusable(stored, repository) ? await previousOf(ctx, reader, repository.id, stored) : null
  const askedAt = ctx.now()
  const options = { previous, rereadConversation: reread, threads: ctx.threads, now: ctx.now }
  const result = await reader.ask((credential) => fetchWhole(ctx.host, credential, snapshot, options))
  const { pull } = result.snapshot
  if (pull.repository.private !== repository.private) await reader.recordVisibility(toKnown(pull.repository), askedAt)
  const version = result.provisional ? `${versionOf(pull)} provisional` : versionOf(pull)
  if (stored?.version !== version || !result.isUnchanged)
    await upsertPullRequest(ctx.db, {
      host_repo_id: pull.repository.id,
      number: pull.number,
      private: pull.repository.private,
      version,
      host_updated_at: new Date(pull.updatedAt),
      ...pullColumnsOf(result.facts),
      document: result.document,
    })
  await storeIssueEtags(ctx, reader, pull.repository.id, result.issues)
  return result.snapshot
}

/**
 * Whether parts of a stored document may be reused. A document of another format may lack fields, and one read while
 * the repository was private must not be reused after it became public.
 */
function isReusable(stored: Stored, repository: { private: boolean }): boolean {
  return isCurrentFormat(stored.version) && !(stored.private && !repository.private)
}

async function previousOf(
  ctx: Context,
  reader: HostReader,
  hostRepoId: number,
  { document }: Stored,
): Promise<PreviousDocument> {
  const facts = await readFacts(ctx.threads, document)
  return { document, facts, issues: await withEtags(ctx, reader, hostRepoId, facts.linkedIssues) }
}

function isCurrent(stored: Awaited<ReturnType<typeof findVersion>>, pull: HostPullRequest): boolean {
  if (stored?.private !== pull.repository.private) return false
  return stored.version === versionOf(pull) || stored.host_updated_at > new Date(pull.updatedAt)
}

async function storeEtag(ctx: Context, reader: HostReader, { pull, etag }: Snapshot): Promise<void> {
  if (etag === null || reader.sessionId === null) return
  const key = etagKey({ host_repo_id: pull.repository.id }, pull.number, versionOf(pull))
  await upsertEtag(ctx.db, { session_id: reader.sessionId, ...key, etag, seen_at: ctx.now() })
}

export function etagKey({ host_repo_id }: { host_repo_id: number }, number: number, version: string) {
  return { resource: `pull ${host_repo_id} ${number}`, version }
}
