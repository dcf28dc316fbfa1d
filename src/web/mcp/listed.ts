import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/accounts/session.ts'
import type { ListedArticle } from '../../domain/lists/articlesPage.ts'
import { listArticles } from '../../domain/lists/listArticles.ts'
import { pageAddress } from '../pages/addresses.ts'
import { clipToTokens, jsonTokenBound, MAX_ANSWER_TOKENS, tokenBound } from './tokenBound.ts'
import { clipped } from './tokenBudget.ts'
import { oneLine } from './untrusted.ts'

export const DEFAULT_LIMIT = 10
export const MAX_LIMIT = 20

/** Tokens reserved for the parts of an answer other than articles. */
const RESERVED_TOKENS = 1100
const MAX_TITLE_TOKENS = 160
/** Tokens of the two separators after an article, one in JSON and one in the text. */
const SEPARATOR_TOKENS = 2
const MAX_SNIPPET_TOKENS = 200
const MAX_LEAD_TOKENS = 400

type Query = Parameters<typeof listArticles>[2]

/** A page of articles that fits `tokens`, with as much of their leads as there is room for. */
export async function listFitting(
  ctx: Context,
  viewer: Viewer | undefined,
  origin: string,
  query: Query,
  { tokens = MAX_ANSWER_TOKENS, preferred }: { tokens?: number; preferred?: string | undefined } = {},
) {
  const room = tokens - RESERVED_TOKENS
  let leadTokens = 0
  const countFitting = (all: ListedArticle[]) => {
    const needed = all.map((article) => {
      const listed = toListed(article, origin, 0)
      return jsonTokenBound(listed) + tokenBound(lineOf(listed)) + SEPARATOR_TOKENS
    })
    const count = countWithin(needed, room)
    const left = room - needed.slice(0, count).reduce((sum, one) => sum + one, 0)
    leadTokens = Math.min(MAX_LEAD_TOKENS, Math.floor(left / Math.max(1, count)))
    return count
  }
  const page = await listArticles(ctx, viewer, query, preferred, countFitting)
  return {
    articles: page.data.map((article) => toListed(article, origin, leadTokens)),
    nextCursor: page.pagination.nextCursor,
    isLimited: page.isLimited,
  }
}

/** How many of the first numbers have a sum of at most `max`. */
function countWithin(numbers: number[], max: number): number {
  let sum = 0
  const end = numbers.findIndex((one) => {
    sum += one
    return sum > max
  })
  return end === -1 ? numbers.length : end
}

/** The line of an article in the text of an answer, for clients that show models only the text. */
export function lineOf({ title, repository, number, articleId }: ReturnType<typeof toListed>): string {
  return `- ${oneLine(title)} (${repository}#${number}, articleId ${articleId})`
}

export function moreLine(nextCursor: string | null): string[] {
  return nextCursor === null ? [] : [`More with the cursor ${nextCursor}`]
}

function toListed(article: ListedArticle, origin: string, leadTokens: number) {
  return {
    articleId: article.articleId,
    page: `${origin}${pageAddress(article.articleId, article.languageCode)}`,
    language: article.languageCode,
    title: clipToTokens(article.aiGeneratedTitle, MAX_TITLE_TOKENS),
    lead: clipped(article.lead, leadTokens),
    snippet: article.snippet && clipToTokens(article.snippet.text, MAX_SNIPPET_TOKENS),
    compatibility: article.impact?.compatibility ?? null,
    changeTypes: article.changeTypes,
    repository: article.repositoryFullName,
    number: article.prNumber,
    pullRequest: article.hostPrUrl,
    mergedAt: article.mergedAt,
  }
}
