import { type Kysely, sql } from 'kysely'
import { preparedInShapes } from '../engine/prepared/prepared.ts'
import type { Schema } from '../schema/schema.ts'
import {
  type ListFilter,
  type ListPage,
  listedInOrder,
  type PageValues,
  type Placed,
  pageValues,
} from './articleLists.ts'
import { candidates, type Lookup, type SearchShape, type SearchValues } from './candidates.ts'
import { type Reader, type ReaderShape, readerIn, readerShape } from './listedTexts.ts'
import { periodKeys } from './periods.ts'
import { inOrder, possibleScores } from './searchOrder.ts'
import type { SearchRange } from './searchRanges.ts'

/** A search sorts at most this many matching articles: the newest ones. */
export const MAX_CANDIDATES = 1000

/**
 * The numbers of search terms for which there are prepared statements; each also serves fewer terms. Only two, because
 * every connection stores each statement.
 */
const TERMS = [3, 10]

/**
 * Postgres must always use the index, because it would sometimes read the whole table instead. It must plan the
 * statement only once, because planning it for the values of each search would take longer than running it.
 */
const SETTINGS = {
  statement_timeout: '2s',
  enable_seqscan: 'off',
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'force_generic_plan',
}

/** Which texts are on a page of a search, and whether there were more candidates than are sorted. */
export async function searchArticles(
  db: Kysely<Schema>,
  { tsquery, terms, checked, excluded }: Lookup,
  ranges: SearchRange[],
  { language, preferred, hostRepoIds, mergedSince, mergedUntil }: ListFilter,
  page: ListPage,
  reader: Reader,
) {
  const { sort } = page
  const shape = {
    sort,
    terms: sort === 'relevance' ? (TERMS.find((count) => count >= terms.length) ?? terms.length) : 0,
    isChecked: checked.length + excluded.length > 0,
    ranges: ranges.length,
    isOfRepositories: hostRepoIds !== undefined,
    ...readerShape(reader),
  }
  const values = {
    ...{ tsquery, terms, checked, excluded, language, preferred, hostRepoIds, mergedSince, mergedUntil },
    scores: shape.terms > 0 ? possibleScores(terms.length, page.after?.score) : [],
    from: ranges.map(({ from }) => from),
    to: ranges.map(({ to }) => to),
    keys: ranges.map(({ from, end }) => from && `{${periodKeys({ from, to: end }).join(',')}}`),
    ...pageValues(page),
  }
  const rows = await pages(db, shape, values, reader)
  const texts = rows.flatMap(({ is_limited: _, ...placed }) => (placed.article_id === null ? [] : [placed as Placed]))
  return { found: texts, isLimited: rows[0]?.is_limited ?? false }
}

type Shape = SearchShape & ReaderShape
type Values = SearchValues & PageValues

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

/** An empty page is returned as one row without an article, so that `is_limited` is known. */
const pages = preparedInShapes((db, shape: Shape, values: Values, reader: Reader) => {
  const page = sql<Nullable<Placed> & { is_limited: boolean }>`(
    with newest as materialized (
      ${candidates(db, shape, values, readerIn(shape, reader), MAX_CANDIDATES + 1)}
    ),
    candidates as (select * from newest limit ${sql.lit(MAX_CANDIDATES)})
    select page.*, is_limited from (select count(*) > ${sql.lit(MAX_CANDIDATES)} as is_limited from newest) newest
    left join (${inOrder(shape, values)}) page on true
  )`
  return db.selectFrom(page.as('page')).selectAll()
}, SETTINGS)

/**
 * The found texts in the same order, with everything that a list shows of them and with the plain text for snippets.
 */
export async function listFound(db: Kysely<Schema>, texts: Placed[], reader: Reader) {
  const places = {
    articleIds: texts.map(({ article_id }) => article_id),
    languages: texts.map(({ language }) => language),
    scores: texts.map(({ score }) => score),
    times: texts.map(({ at }) => at),
  }
  return texts.length === 0 ? [] : listedPages(db, readerShape(reader), places, reader)
}

interface Places {
  articleIds: string[]
  languages: string[]
  scores: number[]
  times: Date[]
}

const listedPages = preparedInShapes(
  (db, shape: ReaderShape, { articleIds, languages, scores, times }: Places, reader: Reader) => {
    const texts = sql<Placed>`(
      select * from unnest(${articleIds}::uuid[], ${languages}::text[], ${scores}::integer[], ${times}::timestamptz[])
        as place(article_id, language, score, at)
    )`
    const text = sql<string>`(
      select shown from article_search
      where (article_search.article_id, article_search.language) = (found.article_id, found.language)
    )`
    return listedInOrder(db, texts, readerIn(shape, reader)).select(text.as('shown'))
  },
  { plan_cache_mode: 'force_generic_plan' },
)
