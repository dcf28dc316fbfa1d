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

/** By the place of a term. */
const SCORES = { title: 8, head: 3, body: 1 }

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
  hostRepoId: number | undefined
  language: string | undefined
  mergedSince: Date | undefined
  /** For each range; null where it is open. The keys are arrays as text. */
  from: (Date | null)[]
  to: (Date | null)[]
  keys: (string | null)[]
}

/**
 * The newest matching texts in visible repositories, with what they are sorted by. Postgres reads a range only if those
 * before it hold too few.
 */
export function candidates(
  db: Kysely<Schema>,
  shape: SearchShape,
  values: SearchValues,
  reader: Reader,
  max: number,
): RawBuilder<unknown> {
  const ranges = Array.from(
    { length: shape.ranges },
    (_, i) => sql`(${candidatesIn(db, i + 1, shape, values, reader)})`,
  )
  return sql`select * from (${sql.join(ranges, sql` union all `)}) candidate limit ${sql.lit(max)}`
}

/**
 * Matches are sorted by date before visibility and texts are looked at, and only as many are looked at as needed: texts
 * are stored out of line, so reading one costs more than finding it.
 */
function candidatesIn(db: Kysely<Schema>, range: number, shape: SearchShape, values: SearchValues, reader: Reader) {
  const conditions = [
    sql`lexemes @@ ${values.tsquery}::tsquery`,
    ...narrowing(range, shape, values),
    sql`(${values.language}::text is null or language = ${values.language}::text)`,
    ...merged(shape, values),
  ]
  const matches = sql`(
    select * from article_search where ${sql.join(conditions, sql` and `)}
    order by created_at desc, article_id desc, language
    offset 0
  )`
  const visible = shownTo(db, reader)
    .where(isListed(reader))
    .whereRef('repositories.host_repo_id', '=', sql.ref('match.host_repo_id'))
    .select(sql`true`.as('is_visible'))
  const { score, at } = sortedBy(shape, values)
  return sql`
    select article_id, language, place, ${score} as score, ${at} as at
    from ${matches} match
    where (${visible}) and ${shape.isChecked ? isMatch(values) : sql`true`}`
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

function sortedBy(
  { sort, terms }: SearchShape,
  values: SearchValues,
): { score: RawBuilder<number>; at: RawBuilder<Date> } {
  const created = sql<Date>`created_at`
  if (sort === 'relevance') return { score: relevance(terms, values), at: created }
  if (sort === 'likes') return { score: ofCard(sql`like_count`, 'match'), at: created }
  return { score: sql`0`, at: sort === 'merged' ? ofCard(sql`merged_at`, 'match') : created }
}

function ofCard<T>(column: RawBuilder<unknown>, table: string): RawBuilder<T> {
  return sql`(
    select ${column} from article_cards
    where (article_cards.article_id, article_cards.language) = (${sql.ref(`${table}.article_id`)}, ${sql.ref(`${table}.language`)})
  )`
}

function relevance(count: number, { terms }: SearchValues): RawBuilder<number> {
  const scores = Array.from({ length: count }, (_, i) => {
    const term = sql`(${terms}::text[])[${sql.lit(i + 1)}]`
    return sql`case
      when ${term} is null then 0
      when strpos(title, ${term}) > 0 then ${sql.lit(SCORES.title)}
      when strpos(head, ${term}) > 0 then ${sql.lit(SCORES.head)}
      else ${sql.lit(SCORES.body)} end`
  })
  return sql`(${sql.join([sql`0`, ...scores], sql` + `)})`
}

function isMatch({ checked, excluded }: SearchValues): RawBuilder<boolean> {
  const contains = sql`(strpos(title, term) > 0 or strpos(head, term) > 0 or strpos(body, term) > 0)`
  return sql`not exists (select from unnest(${checked}::text[]) term where not ${contains})
    and not exists (select from unnest(${excluded}::text[]) term where ${contains})`
}
