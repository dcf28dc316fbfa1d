import type { Context } from '../../context.ts'
import type { Name } from '../../db/repositories/repositories.ts'
import { findRepositoryPage } from '../../db/search/repositoryLists.ts'
import type { Viewer } from '../accounts/session.ts'
import { askForRepository } from '../repositories/askForRepository.ts'
import { repositoryNotFound } from '../repositories/problems.ts'
import { afterPublicCheck } from '../repositories/publicVisibility.ts'
import { audienceOf } from '../repositories/visibility.ts'

/** A repository for its page. The code host is asked about one that the viewer cannot see. */
export async function readRepository(ctx: Context, viewer: Viewer | undefined, name: Name) {
  const find = () => findRepositoryPage(ctx.db, { ...audienceOf(ctx, viewer), userId: viewer?.user.id ?? null }, name)
  const shown = await afterPublicCheck(ctx, name, find)
  if (shown) return shown
  if (viewer) await askForRepository(ctx, viewer, name)
  const found = viewer && (await find())
  if (!found) throw repositoryNotFound()
  return found
}
