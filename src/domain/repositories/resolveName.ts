import type { Context } from '../../context.ts'
import { findNamed, type Name } from '../../db/repositories/repositories.ts'
import type { Viewer } from '../accounts/session.ts'
import { audienceOf } from './visibility.ts'

const MAX_CANDIDATES = 6

/**
 * The repositories that a name without an owner may mean to a viewer: only one if it is the only visible one of that
 * name, or the only one with public articles.
 */
export async function resolveName(ctx: Context, viewer: Viewer | undefined, name: string): Promise<Name[]> {
  const found = await findNamed(ctx.db, audienceOf(ctx, viewer), name, MAX_CANDIDATES)
  const [first, second] = found
  const meant = first?.has_articles && !second?.has_articles ? [first] : found
  return meant.map((row) => ({ owner: row.owner, repo: row.name }))
}
