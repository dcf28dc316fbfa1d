import type { Context } from '../../context.ts'
import type { Name } from '../../db/repositories/repositories.ts'
import { findRepositoryPage } from '../../db/search/repositoryLists.ts'
import type { Viewer } from '../accounts/session.ts'
import { findByName } from '../repositories/askForRepository.ts'
import { audienceOf } from '../repositories/visibility.ts'

/** Reads a repository for its web page. If the viewer cannot see it, the code host is asked about it. */
export async function readRepository(ctx: Context, viewer: Viewer | undefined, name: Name) {
  const reader = { ...audienceOf(ctx, viewer), userId: viewer?.user.id ?? null }
  return findByName(ctx, viewer, name, (by) => findRepositoryPage(ctx.db, reader, by))
}
