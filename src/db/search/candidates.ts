import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { shownTo } from '../visibility.ts'
import type { Sort } from './articleLists.ts'
import { isListed, type Reader } from './listedTexts.ts'

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

/** How one search differs from others in what no parameter can express. */
export interface SearchShape {
  sort: Sort
  /** How many terms relevance depends on at most. */
  terms: number
  /** Whether texts must be read to check what they contain. */
  isChecked: boolean
  ranges: number
  isOfRepository: boolean
}

/** The values of a search. */
export interface SearchValues extends Lookup {
  /** Those that articles can have, the highest first. */
  scores: number[]
  hostRepoId: number | undefined
  language: string | undefined
  /** Of the matching texts of an article, the one in this language comes first. */
  preferred: string | undefined
  mergedSince: Date | undefined
  /** For each range; null where it is open. The keys are arrays as text. */
  from: (Date | null)[]
  to: (Date | null)[]
  keys: (string | null)[]
}

/**
 * The newest matching texts in visible repositories, newest first. Postgres works through the parts only as far as rows
 * are asked for, so that it reads a range only if those before it hold too few.
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
  // Nearly always the first matches suffice, and they are about few repositories: each of these is looked at once.
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

/** Of several ranges, only the last one, the oldest, is open. */
function narrowing(range: number, { ranges, isOfRepository }: SearchShape, values: SearchValues) {
  const nth = (array: unknown, type: string) => sql`(${array}::${sql.raw(type)}[])[${sql.lit(range)}]`
  const to = nth(values.to, 'timestamptz')
  return [
    sql`(${to} is null or created_at < ${to})`,
    ...(range === ranges
      ? []
      : [sql`keys && ${nth(values.keys, 'text')}::bigint[]`, sql`created_at >= ${nth(values.from, 'timestamptz')}`]),
    ...(isOfRepository ? [sql`keys @> array[${values.hostRepoId}]::bigint[]`] : []),
  ]
}

function merged({ sort }: SearchShape, { mergedSince }: SearchValues): RawBuilder<unknown>[] {
  const mergedAt = ofCard(sql`merged_at`, 'article_search')
  return [
    sql`(${mergedSince}::timestamptz is null or ${mergedAt} >= ${mergedSince}::timestamptz)`,
    ...(sort === 'merged' ? [sql`${mergedAt} is not null`] : []),
  ]
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

/** Whether no other matching text of the article comes first. Few articles have several, so this is asked last. */
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
