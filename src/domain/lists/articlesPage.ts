import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import type { ListedRow, Placed, Position } from '../../db/search/articleLists.ts'
import { decodeCursor, encodeCursor, isInteger32, isTime, isUuid } from '../../lib/cursor.ts'
import type { WithoutUrl } from '../../lib/withoutUrl.ts'
import { checkUnverified } from '../repositories/publicVisibility.ts'
import { snippetOf } from '../search/snippet.ts'

export type ListedArticle = WithoutUrl<components['schemas']['ListedArticle']>
/** Returns how many of the articles, from the first one on, fit a page that has another limit besides their number. */
export type CountFitting = (articles: ListedArticle[]) => number

/** The texts of a page, one more than its limit if another page follows. */
export interface FoundRows {
  rows: ListedRow[]
  /** The positions of all texts found, including those of texts that may no longer be shown. */
  places: Placed[]
}

export function pageOf(
  ctx: Context,
  { rows, places }: FoundRows,
  limit: number,
  terms: string[] = [],
  countFitting: CountFitting = ({ length }) => length,
) {
  checkUnverified(ctx, rows)
  const next = places[limit]
  const page = next ? rows.filter(({ article_id }) => article_id !== next.article_id) : rows
  const listed = page.map((row) => toListed(row, terms))
  const count = countFitting(listed)
  // An empty page would have no cursor, and so end the list.
  if (count === 0 && listed.length > 0) throw new Error('Not even one article fits the page.')
  const last = count < page.length ? page[count - 1] : next && places[limit - 1]
  return {
    data: listed.slice(0, count),
    pagination: {
      limit,
      nextCursor: last ? encodeCursor([last.score, last.at.getTime(), last.article_id]) : null,
    },
  }
}

export function positionOf(cursor: string | undefined): Position | undefined {
  const values = decodeCursor<[number, number, string]>(
    cursor,
    ([score, at, articleId]) => isInteger32(score) && isTime(at) && isUuid(articleId),
  )
  return values && { score: values[0], at: new Date(values[1]), articleId: values[2] }
}

export function toListed(row: ListedRow, terms: string[]): ListedArticle {
  const { compatibility, affected } = row
  return {
    articleId: row.article_id,
    languageCode: row.language,
    languages: row.languages,
    kind: row.kind,
    aiGeneratedTitle: row.title,
    lead: row.lead,
    impact: compatibility !== null && affected !== null ? { compatibility, affected } : null,
    changeTypes: row.change_types,
    repositoryFullName: `${row.owner}/${row.name}`,
    owner: row.owner,
    repo: row.name,
    prNumber: row.number,
    hostPrUrl: row.host_url,
    authorLogin: row.author_login,
    authorIsBot: row.author_is_bot,
    state: row.state,
    draft: row.draft,
    merged: row.is_merged,
    mergedAt: row.merged_at?.toISOString() ?? null,
    hostPrCreatedAt: row.host_created_at.toISOString(),
    labels: row.labels,
    readingMinutes: row.reading_minutes,
    totalLikeCount: row.likes,
    liked: row.is_liked,
    createdAt: row.created_at.toISOString(),
    snippet: terms.length > 0 && row.shown !== undefined ? snippetOf(row.shown, terms) : null,
  }
}
