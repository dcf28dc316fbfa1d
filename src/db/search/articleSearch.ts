import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { shownTo } from '../visibility.ts'
import { isListed, type ListFilter, type ListPage, listed, type Reader, type Sort } from './articleLists.ts'

/** What to look for. All texts are folded. */
export interface Lookup {
  /** Finds the texts in the index. */
  tsquery: string
  /** What relevance depends on. */
  terms: string[]
  /** What the text must contain besides the entries of the index. */
  checked: string[]
  excluded: string[]
}

/** Searches sort at most so many texts, the newest. */
export const MAX_CANDIDATES = 1000
const TIMEOUT = '2s'
/** By the place of a term. */
const SCORES = { title: 8, head: 3, body: 1 }

/** A page of the articles that a search finds, and whether there were more candidates than are sorted. */
export async function searchArticles(
  db: Kysely<Schema>,
  lookup: Lookup,
  filter: ListFilter,
  page: ListPage,
  reader: Reader,
) {
  return db.transaction().execute(async (trx) => {
    // Common words need another plan than rare ones.
    await sql`set local plan_cache_mode = force_custom_plan`.execute(trx)
    await sql`set local statement_timeout = ${sql.lit(TIMEOUT)}`.execute(trx)
    const rows = await found(trx, lookup, filter, page, reader)
    return { rows, isLimited: rows.some(({ candidates }) => candidates > MAX_CANDIDATES) }
  })
}

interface Found {
  article_id: string
  language: string
  score: number
  at: Date
  shown: string
  candidates: number
}

function found(db: Kysely<Schema>, lookup: Lookup, filter: ListFilter, page: ListPage, reader: Reader) {
  const { sort, limit, after } = page
  const isAfter = after
    ? sql`(score, at, article_id) < (${after.score}::integer, ${after.at}::timestamptz, ${after.articleId}::uuid)`
    : sql`true`
  const { score, at } = sortedBy(sort, lookup.terms)
  // One text for each article: of those that match, the one that lists would show.
  const places = sql<Found>`(
    select * from (
      select distinct on (article_search.article_id)
        article_search.article_id, article_search.language, article_search.shown, candidates,
        ${score} as score, ${at} as at
      from (select *, count(*) over ()::integer as candidates from ${candidates(db, lookup, filter, page, reader)} newest) found
      join article_search using (article_id, language)
      join article_cards using (article_id, language)
      order by article_search.article_id, article_search.language <> ${filter.preferred ?? ''}, article_search.place
    ) chosen
    where ${isAfter}
    order by score desc, at desc, article_id desc
    limit ${limit}
  )`
  return listed(db, reader)
    .innerJoin(places.as('found'), (join) =>
      join
        .onRef('found.article_id', '=', 'article_cards.article_id')
        .onRef('found.language', '=', 'article_cards.language'),
    )
    .select(['found.score', 'found.at', 'found.shown', 'found.candidates'])
    .orderBy('found.score', 'desc')
    .orderBy('found.at', 'desc')
    .orderBy('found.article_id', 'desc')
    .execute()
}

/** The newest matching texts in visible repositories, one more than are sorted. */
function candidates(
  db: Kysely<Schema>,
  { tsquery, checked, excluded }: Lookup,
  { language, hostRepoId, mergedSince }: ListFilter,
  { sort, after }: ListPage,
  reader: Reader,
): RawBuilder<unknown> {
  const conditions = [
    sql<boolean>`article_search.lexemes @@ ${tsquery}::tsquery`,
    ...checked.map(contains),
    ...excluded.map((text) => sql<boolean>`not ${contains(text)}`),
    ...(language === undefined ? [] : [sql<boolean>`article_search.language = ${language}`]),
    ...(hostRepoId === undefined ? [] : [sql<boolean>`article_search.host_repo_id = ${hostRepoId}`]),
    ...(sort === 'merged' || mergedSince !== undefined ? [isMergedSince(mergedSince)] : []),
    // By date, the pages before need not be found again.
    ...(sort === 'newest' && after ? [sql<boolean>`article_search.created_at <= ${after.at}::timestamptz`] : []),
  ]
  const newest = conditions
    .reduce(
      (query, condition) => query.where(condition),
      shownTo(db, reader)
        .innerJoin('article_search', 'article_search.host_repo_id', 'repositories.host_repo_id')
        .where(isListed(reader)),
    )
    .select(['article_search.article_id', 'article_search.language'])
    .orderBy('article_search.created_at', 'desc')
    .orderBy('article_search.article_id', 'desc')
    .limit(sql.lit(MAX_CANDIDATES + 1))
  return sql`(${newest})`
}

function isMergedSince(time: Date | undefined): RawBuilder<boolean> {
  return sql`exists (
    select from article_cards card
    where card.article_id = article_search.article_id and card.language = article_search.language
      and card.merged_at ${time === undefined ? sql`is not null` : sql`>= ${time}::timestamptz`}
  )`
}

function sortedBy(sort: Sort, terms: string[]): { score: RawBuilder<number>; at: RawBuilder<Date> } {
  const created = sql<Date>`article_search.created_at`
  if (sort === 'relevance') return { score: relevance(terms), at: created }
  if (sort === 'likes') return { score: sql`article_cards.like_count`, at: created }
  return { score: sql`0`, at: sort === 'merged' ? sql`article_cards.merged_at` : created }
}

function relevance(terms: string[]): RawBuilder<number> {
  const scores = terms.map(
    (term) => sql`case
      when strpos(article_search.title, ${term}) > 0 then ${sql.lit(SCORES.title)}
      when strpos(article_search.head, ${term}) > 0 then ${sql.lit(SCORES.head)}
      else ${sql.lit(SCORES.body)} end`,
  )
  return sql`(${sql.join([sql`0`, ...scores], sql` + `)})`
}

function contains(text: string): RawBuilder<boolean> {
  const places = ['title', 'head', 'body'].map(
    (column) => sql`strpos(${sql.ref(`article_search.${column}`)}, ${text}) > 0`,
  )
  return sql`(${sql.join(places, sql` or `)})`
}
