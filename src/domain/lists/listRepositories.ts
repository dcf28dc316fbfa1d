import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { findRepositories } from '../../db/search/repositoryLists.ts'
import { decodeCursor, encodeCursor, isTime } from '../../lib/cursor.ts'
import type { PageWithoutUrls } from '../../lib/withoutUrl.ts'
import { freshness } from '../repositories/freshness.ts'
import { verifyLeftOut } from '../repositories/verifyListed.ts'

type RepositoriesPage = PageWithoutUrls<components['schemas']['RepositoriesPage']>

/** A page of the public repositories with articles. */
export async function listRepositories(
  ctx: Context,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<RepositoriesPage> {
  const [time, hostRepoId] =
    decodeCursor<[number, number]>(cursor, ([at, id]) => isTime(at) && Number.isSafeInteger(id)) ?? []
  const after = time === undefined || hostRepoId === undefined ? undefined : { at: new Date(time), hostRepoId }
  await ctx.indexing.catchUp()
  await verifyLeftOut(ctx)
  const rows = await findRepositories(ctx.db, { limit: limit + 1, after }, freshness(ctx))
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    data: page.map(({ owner, name, description, article_count: articleCount, newest_article_at: newest }) => ({
      repositoryFullName: `${owner}/${name}`,
      owner,
      repo: name,
      description,
      articleCount,
      newestArticleAt: newest.toISOString(),
    })),
    pagination: {
      limit,
      nextCursor: last ? encodeCursor([last.newest_article_at.getTime(), last.host_repo_id]) : null,
    },
  }
}
