import type { Viewer } from '../accounts/session.ts'
import { pageAddress } from '../articles/addresses.ts'
import type { Context } from '../context.ts'
import { type ListedArticle, listArticles } from '../search/listArticles.ts'
import { clipToTokens, jsonTokenBound, MAX_ANSWER_TOKENS } from './tokenBound.ts'

export const DEFAULT_LIMIT = 10
export const MAX_LIMIT = 20

/** For the text and everything besides the articles. */
const RESERVED_TOKENS = 600
const MAX_TITLE_TOKENS = 160
const MAX_SNIPPET_TOKENS = 200
const MAX_LEAD_TOKENS = 400

type Query = Parameters<typeof listArticles>[2]
export type Listed = ReturnType<typeof toListed>

/** A page of articles that fits `tokens`. If some do not, a shorter page is read, so that its cursor is right. */
export async function listFitting(
  ctx: Context,
  viewer: Viewer | undefined,
  origin: string,
  query: Query,
  tokens = MAX_ANSWER_TOKENS,
) {
  const { data, pagination, isLimited } = await listArticles(ctx, viewer, query)
  const articles = fitting(
    data.map((article) => toListed(article, origin)),
    tokens - RESERVED_TOKENS,
  )
  if (articles.length < data.length && articles.length > 0)
    return listFitting(ctx, viewer, origin, { ...query, limit: articles.length }, tokens)
  return { articles, nextCursor: pagination.nextCursor, isLimited }
}

/** The first articles that fit, with as much of their leads as there is room for. */
function fitting(articles: Listed[], tokens: number): Listed[] {
  const withoutLeads = articles.map((article) => jsonTokenBound({ ...article, lead: '' }) + 1)
  let used = 0
  const end = withoutLeads.findIndex((needed) => {
    used += needed
    return used > tokens
  })
  const shown = end === -1 ? articles : articles.slice(0, end)
  const needed = withoutLeads.slice(0, shown.length).reduce((sum, one) => sum + one, 0)
  const room = Math.min(MAX_LEAD_TOKENS, Math.floor((tokens - needed) / Math.max(1, shown.length)))
  return shown.map((article) => ({ ...article, lead: article.lead && clipToTokens(article.lead, room) }))
}

function toListed(article: ListedArticle, origin: string) {
  return {
    articleId: article.articleId,
    page: `${origin}${pageAddress(article.articleId, article.languageCode)}`,
    language: article.languageCode,
    title: clipToTokens(article.aiGeneratedTitle, MAX_TITLE_TOKENS),
    lead: article.lead,
    snippet: article.snippet && clipToTokens(article.snippet.text, MAX_SNIPPET_TOKENS),
    compatibility: article.impact?.compatibility ?? null,
    changeTypes: article.changeTypes,
    repository: article.repositoryFullName,
    number: article.prNumber,
    pullRequest: article.hostPrUrl,
    mergedAt: article.mergedAt,
  }
}
