import { sql, type Transaction } from 'kysely'
import { pullFacts } from '../pulls/pullFacts.ts'
import type { Schema } from '../schema/schema.ts'
import type { ArticleCardsTable, ArticleSearchTable } from '../schema/searchTables.ts'

/** What lists and searches store about a text. */
export type SearchEntry = Pick<ArticleCardsTable, 'compatibility' | 'affected' | 'change_types' | 'reading_minutes'> &
  Pick<ArticleSearchTable, 'title' | 'head' | 'body' | 'shown'> & { lexemes: string[] }

/** Queued changes of articles that no other node is working on, the newest first; their articles are locked. */
export async function claimQueued(trx: Transaction<Schema>, max: number) {
  return trx
    .selectFrom('search_queue')
    .innerJoin('articles', 'articles.id', 'search_queue.article_id')
    .select(['search_queue.id', 'search_queue.article_id'])
    .orderBy('search_queue.id', 'desc')
    .limit(max)
    .forNoKeyUpdate('articles')
    .skipLocked()
    .execute()
}

/** All texts of articles, with the facts that can be searched for. */
export async function findQueuedTexts(trx: Transaction<Schema>, articleIds: string[]) {
  return trx
    .selectFrom('article_texts')
    .innerJoin('articles', 'articles.id', 'article_texts.article_id')
    .innerJoin('repositories', 'repositories.host_repo_id', 'articles.host_repo_id')
    .innerJoin('pull_requests', (join) =>
      join
        .onRef('pull_requests.host_repo_id', '=', 'articles.host_repo_id')
        .onRef('pull_requests.number', '=', 'articles.number'),
    )
    .where('article_texts.article_id', 'in', articleIds)
    .select([
      'article_texts.article_id',
      'article_texts.language',
      'article_texts.content',
      'article_texts.private',
      'articles.host_repo_id',
      'articles.number',
      'articles.created_at',
      'repositories.owner',
      'repositories.name',
      'pull_requests.title',
      'pull_requests.author_login',
      pullFacts.labels.as('labels'),
      pullFacts.mergedAt.as('merged_at'),
      sql<boolean>`coalesce(repositories.hidden_by, pull_requests.hidden_by) is not null`.as('is_hidden'),
    ])
    .select(
      sql<number>`row_number() over (
        partition by article_id order by translated_from is not null, generated_at, language
      )::integer`.as('place'),
    )
    .execute()
}

export type QueuedText = Awaited<ReturnType<typeof findQueuedTexts>>[number]

/** Locks the like counts: the node that counts likes waits for this lock, and adds new likes to the card afterwards. */
export async function lockCounts(trx: Transaction<Schema>): Promise<void> {
  await trx.selectFrom('ranking_windows').select('id').forShare().execute()
}

export async function replaceEntry(trx: Transaction<Schema>, text: QueuedText, entry: SearchEntry): Promise<void> {
  const { article_id, language, host_repo_id, created_at, merged_at, place } = text
  const { compatibility, affected, change_types, reading_minutes, lexemes, ...searched } = entry
  const card = {
    ...{ article_id, language, host_repo_id, created_at, merged_at, place, is_public: !text.private },
    ...{ compatibility, affected, change_types, reading_minutes },
    like_count: sql<number>`(
      select coalesce(sum(all_time), 0)::integer from like_counts where like_counts.article_id = ${article_id}
    )`,
  }
  const row = {
    ...{ article_id, language, host_repo_id, created_at, place, ...searched },
    lexemes: sql`array_to_tsvector(${lexemes}::text[])`,
  }
  await trx
    .with('card', (query) =>
      query
        .insertInto('article_cards')
        .values(card)
        .onConflict((conflict) => conflict.columns(['article_id', 'language']).doUpdateSet(card)),
    )
    .insertInto('article_search')
    .values(row)
    .onConflict((conflict) => conflict.columns(['article_id', 'language']).doUpdateSet(row))
    .execute()
}

/**
 * Deletes the card of a hidden text, so that lists and searches never read the text: skipping many hidden texts would
 * be slow.
 */
export async function deleteEntry(
  trx: Transaction<Schema>,
  { article_id, language }: Pick<QueuedText, 'article_id' | 'language'>,
): Promise<void> {
  await trx.deleteFrom('article_cards').where('article_id', '=', article_id).where('language', '=', language).execute()
}

/** Stores when the newest public article of each repository was first written. */
export async function updateNewest(trx: Transaction<Schema>, hostRepoIds: number[]): Promise<void> {
  const newest = sql<Date>`(
    select max(created_at) from article_cards
    where article_cards.host_repo_id = repositories.host_repo_id and is_public
  )`
  await trx
    .updateTable('repositories')
    .set({ newest_article_at: newest })
    .where('host_repo_id', 'in', hostRepoIds)
    .where(sql<boolean>`newest_article_at is distinct from ${newest}`)
    .execute()
}

export async function deleteQueued(trx: Transaction<Schema>, ids: number[]): Promise<void> {
  await trx.deleteFrom('search_queue').where('id', 'in', ids).execute()
}
