import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { findRepositories } from '../../db/search/repositoryLists.ts'
import { decodeCursor, encodeCursor, isTime } from '../../lib/cursor.ts'
import type { PageWithoutUrls } from '../../lib/withoutUrl.ts'
import { freshness } from '../repositories/freshness.ts'
import { verifyLeftOut } from '../repositories/verifyListed.ts'

type RepositoriesPage = PageWithoutUrls<components['schemas']['RepositoriesPage']>

interface Query {
  limit: number
  cursor?: string | undefined
  /** Words that the full name or the description must contain. */
  text?: string | undefined
  /** Ids of repositories to leave out. */
  except?: number[]
  /** Returns how many of the repositories, from the first one on, fit a page with another limit. */
  countFitting?: (repositories: RepositoriesPage['data']) => number
}

/** A page of the public repositories with articles. */
export async function listRepositories(
  ctx: Context,
  { limit, cursor, text = '', except = [], countFitting = ({ length }) => length }: Query,
): Promise<RepositoriesPage> {
  const [time, hostRepoId] =
    decodeCursor<[number, number]>(cursor, ([at, id]) => isTime(at) && Number.isSafeInteger(id)) ?? []
  const after = time === undefined || hostRepoId === undefined ? undefined : { at: new Date(time), hostRepoId }
  await ctx.indexing.catchUp()
  await verifyLeftOut(ctx)
  const filter = { limit: limit + 1, after, words: wordsOf(text), except }
  const rows = await findRepositories(ctx.db, filter, freshness(ctx))
  const listed = rows
    .slice(0, limit)
    .map(({ owner, name, description, article_count: articleCount, newest_article_at: newest }) => ({
      repositoryFullName: `${owner}/${name}`,
      owner,
      repo: name,
      description,
      articleCount,
      newestArticleAt: newest.toISOString(),
    }))
  const count = countFitting(listed)
  const last = rows.length > count ? rows[count - 1] : undefined
  return {
    data: listed.slice(0, count),
    pagination: {
      limit,
      nextCursor: last ? encodeCursor([last.newest_article_at.getTime(), last.host_repo_id]) : null,
    },
  }
}

/** The words of a text filter. Postgres rejects NUL, which no name contains. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().replaceAll('\0', ' ').split(/\s+/).filter(Boolean)
}
