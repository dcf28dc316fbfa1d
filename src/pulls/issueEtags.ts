import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findEtags, upsertEtag } from '../db/pulls/etags.ts'
import { versionOf } from './document.ts'
import type { KnownIssue, LinkedIssue } from './linkedIssues.ts'

/** Stored issues with the ETags under which this session saw exactly them. */
export async function withEtags(
  ctx: Context,
  viewer: Viewer,
  hostRepoId: number,
  issues: LinkedIssue[],
): Promise<KnownIssue[]> {
  const keyed = issues.map((issue) => ({ issue, key: keyOf(hostRepoId, issue) }))
  const etags = await findEtags(
    ctx.db,
    viewer.id,
    keyed.map(({ key }) => key),
  )
  return keyed.map(({ issue, key }) => ({ issue, etag: etags.get(key.resource) ?? null }))
}

export async function storeIssueEtags(ctx: Context, viewer: Viewer, hostRepoId: number, issues: KnownIssue[]) {
  for (const { issue, etag } of issues)
    if (etag !== null)
      await upsertEtag(ctx.db, { session_id: viewer.id, ...keyOf(hostRepoId, issue), etag, seen_at: ctx.now() })
}

/** `closes` belongs to the reference: the code host does not answer differently when it changes. */
function keyOf(hostRepoId: number, { closes: _, ...issue }: LinkedIssue) {
  return { resource: `issue ${hostRepoId} ${issue.number}`, version: versionOf(issue) }
}
