import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { shownTo } from '../visibility.ts'
import type { ListFilter, ListPage, Sort } from './articleLists.ts'
import { isListed, type Reader } from './listedTexts.ts'
import { periodKeys } from './periods.ts'
import { type SearchRange, searchRanges } from './searchRanges.ts'

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

/** A text that matches a search. */
export interface Candidate {
  article_id: string
  language: string
  place: number
  score: number
  at: Date
}

/** By the place of a term. */
const SCORES = { title: 8, head: 3, body: 1 }

/** The newest matching texts in visible repositories. */
export async function findCandidates(
  db: Kysely<Schema>,
  lookup: Lookup,
  filter: ListFilter,
  page: ListPage,
  reader: Reader,
  max: number,
): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (const range of await searchRanges(db, filter, page, reader.now)) {
    found.push(...(await findIn(db, range, lookup, filter, page, reader, max - found.length)))
    if (found.length === max) break
  }
  return found
}

/**
 * Matches are sorted by date before visibility and texts are looked at, and only as many are looked at as needed: texts
 * are stored out of line, so reading one costs more than finding it.
 */
async function findIn(
  db: Kysely<Schema>,
  range: SearchRange,
  { tsquery, terms, checked, excluded }: Lookup,
  filter: ListFilter,
  { sort }: ListPage,
  reader: Reader,
  max: number,
): Promise<Candidate[]> {
  const conditions = [sql`lexemes @@ ${tsquery}::tsquery`, ...narrowing(range, filter), ...filtering(sort, filter)]
  const matches = sql`(
    select * from article_search where ${sql.join(conditions, sql` and `)}
    order by created_at desc, article_id desc, language
    offset 0
  )`
  const visible = shownTo(db, reader)
    .where(isListed(reader))
    .whereRef('repositories.host_repo_id', '=', sql.ref('match.host_repo_id'))
    .select(sql`true`.as('is_visible'))
  const checks = [sql`(${visible})`, ...checked.map(contains), ...excluded.map((text) => sql`not ${contains(text)}`)]
  const { score, at } = sortedBy(sort, terms)
  const { rows } = await sql<Candidate>`
    select article_id, language, place, ${score} as score, ${at} as at from ${matches} match
    where ${sql.join(checks, sql` and `)}
    limit ${max}`.execute(db)
  return rows
}

function narrowing({ from, to, end }: SearchRange, { hostRepoId }: ListFilter): RawBuilder<unknown>[] {
  return [
    ...(from === null ? [] : [sql`keys && ${periodKeys({ from, to: end })}::bigint[]`]),
    ...(from === null ? [] : [sql`created_at >= ${from}::timestamptz`]),
    ...(to === null ? [] : [sql`created_at < ${to}::timestamptz`]),
    ...(hostRepoId === undefined ? [] : [sql`keys @> array[${hostRepoId}]::bigint[]`]),
  ]
}

function filtering(sort: Sort, { language, mergedSince }: ListFilter): RawBuilder<unknown>[] {
  const merged = mergedSince === undefined ? sql`is not null` : sql`>= ${mergedSince}::timestamptz`
  const isMerged = sort === 'merged' || mergedSince !== undefined
  return [
    ...(language === undefined ? [] : [sql`language = ${language}`]),
    ...(isMerged ? [sql`exists (${ofCard(sql`true`, 'article_search')} and merged_at ${merged})`] : []),
  ]
}

function sortedBy(sort: Sort, terms: string[]): { score: RawBuilder<number>; at: RawBuilder<Date> } {
  const created = sql<Date>`created_at`
  if (sort === 'relevance') return { score: relevance(terms), at: created }
  if (sort === 'likes') return { score: sql`(${ofCard(sql`like_count`, 'match')})`, at: created }
  return { score: sql`0`, at: sort === 'merged' ? sql`(${ofCard(sql`merged_at`, 'match')})` : created }
}

function ofCard(column: RawBuilder<unknown>, table: string): RawBuilder<unknown> {
  return sql`select ${column} from article_cards
    where (article_cards.article_id, article_cards.language) = (${sql.ref(`${table}.article_id`)}, ${sql.ref(`${table}.language`)})`
}

function relevance(terms: string[]): RawBuilder<number> {
  const scores = terms.map(
    (term) => sql`case
      when strpos(title, ${term}) > 0 then ${sql.lit(SCORES.title)}
      when strpos(head, ${term}) > 0 then ${sql.lit(SCORES.head)}
      else ${sql.lit(SCORES.body)} end`,
  )
  return sql`(${sql.join([sql`0`, ...scores], sql` + `)})`
}

function contains(text: string): RawBuilder<boolean> {
  const places = ['title', 'head', 'body'].map((column) => sql`strpos(${sql.ref(column)}, ${text}) > 0`)
  return sql`(${sql.join(places, sql` or `)})`
}
