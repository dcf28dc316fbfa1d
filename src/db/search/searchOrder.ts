import { type RawBuilder, sql } from 'kysely'
import type { PageValues } from './articleLists.ts'
import { isByMerge, isFirst, ofCard, type SearchShape, type SearchValues } from './candidates.ts'
import { impactRank } from './impactRank.ts'

/**
 * A page of `candidates`: one text of each article, with the values they are sorted by: the highest score first, then
 * the newest.
 */
export function inOrder(shape: SearchShape, values: SearchValues & PageValues): RawBuilder<unknown> {
  if (shape.sort === 'relevance') return byRelevance(shape, values)
  const score = scoreOf(shape.sort)
  const at = isByMerge(shape.sort) ? ofCard(sql`merged_at`, 'candidates') : sql`created_at`
  return sql`
    select article_id, language, score, at from (
      select * from (select article_id, language, place, ${score} as score, ${at} as at from candidates) candidate
      where ${isAfter(sql`at`, values)}
      order by score desc, at desc, article_id desc
      offset 0
    ) candidate
    where ${isFirst('candidate', shape, values)}
    limit ${values.limit}`
}

function scoreOf(sort: SearchShape['sort']): RawBuilder<number> {
  if (sort === 'likes') return ofCard(sql`like_count`, 'candidates')
  return sort === 'impact' ? ofCard(impactRank(sql`compatibility`), 'candidates') : sql`0`
}

/** The score of a term by the part of the text that contains it. */
const SCORES = { title: 8, head: 3, body: 1 }

/**
 * The scores that this number of terms can add up to, highest first. `highest` is the score of the last row on the
 * previous page, if there is one.
 */
export function possibleScores(terms: number, highest = terms * SCORES.title): number[] {
  const counts = Array.from({ length: terms + 1 }, (_, count) => count)
  const scores = counts.flatMap((titles) =>
    counts
      .slice(0, terms - titles + 1)
      .map((heads) => titles * SCORES.title + heads * SCORES.head + (terms - titles - heads) * SCORES.body),
  )
  return [...new Set(scores)].filter((score) => score <= highest).toSorted((a, b) => b - a)
}

/**
 * Selects, for each score from the highest down, the texts that have it. Titles are stored in the rows and heads are
 * not, so that reading a head costs more than everything else. A head is read only where the terms in the title do not
 * decide the score, and only until the page is full.
 */
function byRelevance(shape: SearchShape, values: SearchValues & PageValues): RawBuilder<unknown> {
  const { terms, limit, scores } = values
  const all = sql`cardinality(${terms}::text[])`
  const countTerms = (isCounted: (term: RawBuilder<string>) => RawBuilder<boolean>) => {
    const counted = Array.from({ length: shape.terms }, (_, i) => isCounted(sql`(${terms}::text[])[${sql.lit(i + 1)}]`))
    return sql`(${sql.join([sql`0`, ...counted.map((one) => sql`case when ${one} then 1 else 0 end`)], sql` + `)})`
  }
  const inTitle = countTerms((term) => sql`strpos(title, ${term}) > 0`)
  const inHead = countTerms((term) => sql`strpos(title, ${term}) = 0 and strpos(head, ${term}) > 0`)
  const open = sql`(score - ${all} * ${sql.lit(SCORES.body)} - in_title * ${sql.lit(SCORES.title - SCORES.body)})`
  const ofHead = sql.lit(SCORES.head - SCORES.body)
  return sql`
    with text as materialized (select *, ${inTitle} as in_title from candidates)
    select article_id, language, score, created_at as at
    from unnest(${scores}::integer[]) score
    cross join lateral (
      select article_id, language, created_at from text
      where ${isAfter(sql`created_at`, values)}
        and case when ${open} between 0 and (${all} - in_title) * ${ofHead} and ${open} % ${ofHead} = 0
          then ${open} = ${inHead} * ${ofHead} and ${isFirst('text', shape, values)} else false end
      offset 0
    ) candidate
    limit ${limit}`
}

function isAfter(at: RawBuilder<unknown>, { afterScore, afterAt, afterId }: PageValues): RawBuilder<boolean> {
  return sql`(${afterId}::uuid is null
    or (score, ${at}, article_id) < (${afterScore}::integer, ${afterAt}::timestamptz, ${afterId}::uuid))`
}
