import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { type ListFilter, type ListPage, listedInOrder } from './articleLists.ts'
import { type Candidate, findCandidates, type Lookup } from './candidates.ts'
import type { Reader } from './listedTexts.ts'

/** Searches sort at most so many texts, the newest. */
export const MAX_CANDIDATES = 1000

/** There is one way to search the index; Postgres would sometimes read the whole table instead. */
const settings = sql`select
  set_config('statement_timeout', '2s', true),
  set_config('enable_seqscan', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true)`

/** A page of the articles that a search finds, and whether there were more candidates than are sorted. */
export async function searchArticles(
  db: Kysely<Schema>,
  lookup: Lookup,
  filter: ListFilter,
  page: ListPage,
  reader: Reader,
) {
  // One snapshot, so that a page is whole.
  const transaction = db.transaction().setIsolationLevel('repeatable read')
  return transaction.execute(async (trx) => {
    await settings.execute(trx)
    const candidates = await findCandidates(trx, lookup, filter, page, reader, MAX_CANDIDATES + 1)
    const texts = candidates.slice(0, MAX_CANDIDATES)
    const rows = await findRows(trx, pageOf(oneForEach(texts, filter.preferred), page), reader)
    return { rows, isLimited: candidates.length > MAX_CANDIDATES }
  })
}

/** One text for each article: of those that match, the one that lists would show. */
function oneForEach(texts: Candidate[], preferred: string | undefined): Candidate[] {
  const chosen = new Map<string, Candidate>()
  const rank = ({ language, place }: Candidate) => (language === preferred ? 0 : place)
  for (const text of texts) {
    const other = chosen.get(text.article_id)
    if (!other || rank(text) < rank(other)) chosen.set(text.article_id, text)
  }
  return [...chosen.values()]
}

function pageOf(texts: Candidate[], { limit, after }: ListPage): Candidate[] {
  const rest = after ? texts.filter((text) => compare({ ...after, article_id: after.articleId }, text) < 0) : texts
  return rest.toSorted(compare).slice(0, limit)
}

type Sorted = Pick<Candidate, 'score' | 'at' | 'article_id'>

/** Descending. */
function compare(a: Sorted, b: Sorted): number {
  return b.score - a.score || b.at.getTime() - a.at.getTime() || compareIds(b.article_id, a.article_id)
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

async function findRows(db: Kysely<Schema>, page: Candidate[], reader: Reader) {
  const column = <K extends keyof Candidate>(name: K) => page.map((text) => text[name])
  const found = sql<Candidate>`(
    select * from unnest(
      ${column('article_id')}::uuid[], ${column('language')}::text[], ${column('score')}::integer[],
      ${column('at')}::timestamptz[]
    ) as found(article_id, language, score, at)
  )`
  const shown = sql<string>`(
    select shown from article_search
    where (article_search.article_id, article_search.language) = (found.article_id, found.language)
  )`
  return listedInOrder(db, found, reader).select(shown.as('shown')).execute()
}
