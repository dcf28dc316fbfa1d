import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findLeads, type NamedPull } from '../db/articles/leads.ts'
import { audienceOf } from '../repositories/visibility.ts'

/** Adds to listed pull requests the lead of their article; null without one that the viewer may see. */
export async function withLeads<Pull extends NamedPull & { articleExists: boolean }>(
  ctx: Context,
  viewer: Viewer,
  pulls: Pull[],
): Promise<(Pull & { lead: string | null })[]> {
  const written = pulls.filter(({ articleExists }) => articleExists)
  const found = await findLeads(ctx.db, audienceOf(ctx, viewer), written, viewer.user.language)
  const leads = new Map(found.map(({ at, lead }) => [written[at], lead]))
  return pulls.map((pull) => ({ ...pull, lead: leads.get(pull) ?? null }))
}
