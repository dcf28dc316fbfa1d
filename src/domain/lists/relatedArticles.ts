import type { Context } from '../../context.ts'
import { findRelated } from '../../db/search/relatedArticles.ts'
import type { Viewer } from '../accounts/session.ts'
import type { ArticlePage } from '../articles/read.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { topicsOf } from '../search/topics.ts'
import { quoted } from '../search/tsquery.ts'
import { type ListedArticle, toListed } from './articlesPage.ts'

const LIMIT = 5

/** Other articles that readers of an article may want to read. */
export async function relatedArticles(
  ctx: Context,
  viewer: Viewer | undefined,
  { id, host_repo_id: hostRepoId, content, labels }: ArticlePage,
  preferred: string,
): Promise<ListedArticle[]> {
  const { files, issues } = topicsOf(hostRepoId, content)
  const to = { articleId: id, hostRepoId, files: files.map(quoted), issues: issues.map(quoted), labels, preferred }
  const reader = { ...audienceOf(ctx, viewer), userId: viewer?.user.id ?? null }
  const rows = await findRelated(ctx.db, to, LIMIT, reader)
  return rows.map((row) => toListed(row, []))
}
