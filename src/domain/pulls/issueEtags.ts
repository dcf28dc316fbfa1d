import type { Context } from '../../context.ts'
import { findEtags, upsertEtag } from '../../db/pulls/etags.ts'
import { versionOf } from './document.ts'
import type { HostReader } from './hostReader.ts'
import type { KnownIssue, LinkedIssue } from './linkedIssues.ts'

/** Adds to each stored issue the ETag with which this reader saw it in exactly this state; null if there is none. */
export async function withEtags(
  ctx: Context,
  { sessionId }: HostReader,
  hostRepoId: number,
  issues: LinkedIssue[],
): Promise<KnownIssue[]> {
  const keyed = issues.map((issue) => ({ issue, key: keyOf(hostRepoId, issue) }))
  const keys = keyed.map(({ key }) => key)
  const etags = sessionId === null ? new Map<string, string>() : await findEtags(ctx.db, sessionId, keys)
  return keyed.map(({ issue, key }) => ({ issue, etag: etags.get(key.resource) ?? null }))
}

export async function storeIssueEtags(
  ctx: Context,
  { sessionId }: HostReader,
  hostRepoId: number,
  issues: KnownIssue[],
): Promise<void> {
  if (sessionId === null) return
  for (const { issue, etag } of issues)
    if (etag !== null)
      await upsertEtag(ctx.db, { session_id: sessionId, ...keyOf(hostRepoId, issue), etag, seen_at: ctx.now() })
}

/**
 * The key for the ETag of an issue. It excludes `closes`, which says something about the reference, not about the
 * issue.
 */
function keyOf(hostRepoId: number, { closes: _, ...issue }: LinkedIssue) {
  return { resource: `issue ${hostRepoId} ${issue.number}`, version: versionOf(issue) }
}
