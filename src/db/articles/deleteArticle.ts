import type { Transaction } from 'kysely'
import { lockWindows } from '../likes/likeCounts.ts'
import type { Schema } from '../schema/schema.ts'
import { updateNewest } from '../search/searchQueue.ts'

interface ArticleToDelete {
  id: string
  host_repo_id: number
}

/**
 * Deletes an article with its texts, versions, likes and reports of mistakes. The pull request stays. Takes the locks
 * in the same order as the indexer: the article, then the like counts.
 */
export async function deleteArticle(trx: Transaction<Schema>, { id, host_repo_id }: ArticleToDelete): Promise<boolean> {
  const article = await trx
    .selectFrom('articles')
    .where('id', '=', id)
    .select('created_at')
    .forUpdate()
    .executeTakeFirst()
  if (!article) return false
  await lockWindows(trx)
  // A trigger subtracts the rows from the totals of the ranking when they are no longer ranked.
  await trx.updateTable('like_counts').set({ ranked: false }).where('article_id', '=', id).execute()
  await trx.deleteFrom('like_counts').where('article_id', '=', id).execute()
  // The time lets Postgres use an index.
  await trx.deleteFrom('likes').where('liked_at', '>=', article.created_at).where('article_id', '=', id).execute()
  await trx.deleteFrom('like_changes').where('article_id', '=', id).execute()
  await trx.deleteFrom('articles').where('id', '=', id).execute()
  await updateNewest(trx, [host_repo_id])
  return true
}
