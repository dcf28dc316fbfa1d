import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { shownTo } from '../visibility.ts'
import type { Sort } from './articleLists.ts'
import { isListed, type Reader } from './listedTexts.ts'

/** What a search looks for. All strings are folded: see `domain/search/fold.ts`. */
export interface Lookup {
  /** The query that finds the texts in the index. */
  tsquery: string
  /** The terms that relevance depends on. */
  terms: string[]
  /** Strings that the text itself must contain, besides the entries of the index. */
  checked: string[]
  excluded: string[]
}

/** The properties of a search that no parameter can express, so that they need a statement of their own. */
export interface SearchShape {
  sort: Sort
  /** The maximum number of terms that relevance depends on. */
  terms: number
  /** Whether texts must be read to check what they contain. */
  isChecked: boolean
  ranges: number
  isOfRepositories: boolean
}

/** The values of a search. */
export interface SearchValues extends Lookup {
  /** The scores that articles can have, highest first. */
  scores: number[]
  hostRepoIds: number[] | undefined
  language: string | undefined
  /** Of the matching texts of an article, the one in this language comes first. */
  preferred: string | undefined
  mergedSince: Date | undefined
  mergedUntil: Date | undefined
  /** The start, end and period keys of each range; null where the range is open. The keys are arrays as text. */
  from: (Date | null)[]
  to: (Date | null)[]
  keys: (string | null)[]
}

/**
 * The newest matching texts in visible repositories, newest first. Postgres reads the ranges only as far as rows are
 * needed, so it reads a range only if those before it hold too few matches.
 */
export function candidates(
  db: Kysely<Schema>,
  shape: SearchShape,
  values: SearchValues,
  reader: Reader,
  max: number,
): RawBuilder<unknown> {
  const ranges = Array.from({ length: shape.ranges }, (_, i) => matchesIn(i + 1, shape, values))
  const visible = shownTo(db, reader)
    .where(isListed(reader))
    .whereRef('repositories.host_repo_id', '=', sql.ref('match.host_repo_id'))
    .select(sql`true`.as('is_visible'))
  // The first matches nearly always suffice and are about few repositories, so the visibility of each repository is
  // checked once.
  return sql`
    with matches as materialized (${sql.join(ranges, sql` union all `)}),
    visible as (
      select * from (select * from matches limit ${sql.lit(max)}) match
      where host_repo_id = any (array (
        select host_repo_id from (
          select distinct host_repo_id from (select host_repo_id from matches limit ${sql.lit(max)}) first_matches
        ) match
        where (${visible})
      ))
      union all
      select * from (select * from matches offset ${sql.lit(max)}) match where (${visible})
    )
    select * from visible
    where ${shape.isChecked ? isMatch('visible', values) : sql`true`}
    limit ${sql.lit(max)}`
}

function matchesIn(range: number, shape: SearchShape, values: SearchValues): RawBuilder<unknown> {
  const conditions = [
    sql`lexemes @@ ${values.tsquery}::tsquery`,
    ...narrowing(range, shape, values),
    sql`(${values.language}::text is null or language = ${values.language}::text)`,
    ...merged(shape, values),
  ]
  return sql`(
    select article_id, language, host_repo_id, created_at, place, title, head ${shape.isChecked ? sql`, body` : sql``}
    from article_search where ${sql.join(conditions, sql` and `)}
    order by created_at desc, article_id desc
  )`
}

/** The conditions for a text to be in one of the ranges. Only the last range, the oldest, has no start. */
function narrowing(range: number, { ranges, isOfRepositories }: SearchShape, values: SearchValues) {
  const nth = (array: unknown, type: string) => sql`(${array}::${sql.raw(type)}[])[${sql.lit(range)}]`
  const to = nth(values.to, 'timestamptz')
  return [
    sql`(${to} is null or created_at < ${to})`,
    ...(range === ranges
      ? []
      : [sql`keys && ${nth(values.keys, 'text')}::bigint[]`, sql`created_at >= ${nth(values.from, 'timestamptz')}`]),
    ...(isOfRepositories ? [sql`keys && ${values.hostRepoIds}::bigint[]`] : []),
  ]
}

function merged({ sort }: SearchShape, { mergedSince, mergedUntil }: SearchValues): RawBuilder<unknown>[] {
  const mergedAt = ofCard(sql`merged_at`, 'article_search')
  return [
    sql`(${mergedSince}::timestamptz is null or ${mergedAt} >= ${mergedSince}::timestamptz)`,
    sql`(${mergedUntil}::timestamptz is null or ${mergedAt} < ${mergedUntil}::timestamptz)`,
    ...(isByMerge(sort) ? [sql`${mergedAt} is not null`] : []),
  ]
}

/** Whether the articles are sorted by the time of their merge, so that only merged pull requests count. */
export function isByMerge(sort: Sort): boolean {
  return sort === 'merged' || sort === 'impact'
}

/** A column of the text's card. */
export function ofCard<T>(column: RawBuilder<unknown>, table: string): RawBuilder<T> {
  return sql`(
    select ${column} from article_cards
    where (article_cards.article_id, article_cards.language) = (${sql.ref(`${table}.article_id`)}, ${sql.ref(`${table}.language`)})
  )`
}

function isMatch(table: string, { checked, excluded }: SearchValues): RawBuilder<boolean> {
  const isIn = (column: string) => sql`strpos(${sql.ref(`${table}.${column}`)}, term) > 0`
  const contains = sql`(${isIn('title')} or ${isIn('head')} or ${isIn('body')})`
  return sql`not exists (select from unnest(${checked}::text[]) term where not ${contains})
    and not exists (select from unnest(${excluded}::text[]) term where ${contains})`
}

/**
 * Whether no other matching text of the article comes first. Few articles have several texts, so this is checked last.
 */
export function isFirst(table: string, shape: SearchShape, values: SearchValues): RawBuilder<boolean> {
  const { tsquery, language, preferred } = values
  const rank = (one: string) =>
    sql`(${sql.ref(`${one}.language`)} <> coalesce(${preferred}::text, ''), ${sql.ref(`${one}.place`)})`
  return sql`(
    select count(*) = 0 from article_search other
    where other.article_id = ${sql.ref(`${table}.article_id`)} and ${rank('other')} < ${rank(table)}
      and (${language}::text is null or other.language = ${language}::text)
      and other.lexemes @@ ${tsquery}::tsquery and ${shape.isChecked ? isMatch('other', values) : sql`true`}
  )`
}
