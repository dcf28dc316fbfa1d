import type { Context } from '../../context.ts'
import type { Name } from '../../db/repositories/repositories.ts'
import { findRepositoryPage } from '../../db/search/repositoryLists.ts'
import type { Viewer } from '../accounts/session.ts'
import { findByName } from '../repositories/askForRepository.ts'
import { audienceOf } from '../repositories/visibility.ts'

/** A repository for its page. The code host is asked about one that the viewer cannot see. */
export async function readRepository(ctx: Context, viewer: Viewer | undefined, name: Name) {
  const reader = { ...audienceOf(ctx, viewer), userId: viewer?.user.id ?? null }
  return findByName(ctx, viewer, name, (by) => findRepositoryPage(ctx.db, reader, by))
}
