import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/accounts/session.ts'
import type { ListedArticle } from '../../domain/lists/articlesPage.ts'
import { listArticles } from '../../domain/lists/listArticles.ts'
import { keywordsOf } from '../../domain/search/keywords.ts'
import { InvalidQuery } from '../../domain/search/query.ts'
import { countWithin, type Listed, RESERVED_TOKENS, tokensOf, toListed } from './entries.ts'
import { MAX_ANSWER_TOKENS } from './tokenEstimate.ts'

export const DEFAULT_LIMIT = 10
export const MAX_LIMIT = 20

/**
 * How many characters of the leads to show, of breaking changes and of others: the first of these lengths that fit an
 * answer.
 */
const LEAD_CHARACTERS = [
  { breaking: 1000, others: 1000 },
  { breaking: 1000, others: 400 },
  { breaking: 1000, others: 160 },
  { breaking: 400, others: 160 },
  { breaking: 400, others: 0 },
  { breaking: 0, others: 0 },
]
/** Begins the cursor of a list of articles that have only some of the words. No other cursor begins like that. */
const ANY_TERM = 'any_'

type Query = Parameters<typeof listArticles>[2]

interface Options {
  tokens?: number
  preferred?: string | undefined
}

/** A page of articles that fits an answer. */
export interface FittingPage {
  articles: Listed[]
  nextCursor: string | null
  /** Whether only the newest of many matches were searched. */
  isLimited: boolean
  /** Whether no article has all words, so that these have any of them. */
  hasAnyTerm: boolean
}

/**
 * A page of articles that fits `tokens`, with as much of their leads as there is room for. If no article has all words
 * of the query, lists those with any of its keywords, the most relevant first.
 */
export async function listFitting(
  ctx: Context,
  viewer: Viewer | undefined,
  origin: string,
  query: Query,
  options: Options = {},
): Promise<FittingPage> {
  const list = (one: Query) => listPage(ctx, viewer, origin, one, options)
  const { q = '', cursor } = query
  if (cursor?.startsWith(ANY_TERM)) return listWithAnyTerm(list, { ...query, cursor: cursor.slice(ANY_TERM.length) })
  const page = await list(query).catch((error) => {
    if (error instanceof InvalidQuery && error.part === 'terms' && canFindMore(q)) return NO_PAGE
    throw error
  })
  const isEmpty = page.articles.length === 0 && cursor === undefined
  return isEmpty && canFindMore(q) ? listWithAnyTerm(list, query) : page
}

/** Whether a search for any keyword could find more than the one for all words did. */
function canFindMore(q: string): boolean {
  const keywords = keywordsOf(q)
  return keywords.includes(' ') || (keywords !== '' && keywords !== q.trim())
}

async function listWithAnyTerm(list: (query: Query) => Promise<FittingPage>, query: Query): Promise<FittingPage> {
  const sort = query.sort === 'impact' ? undefined : query.sort
  const { nextCursor, ...page } = await list({ ...query, q: keywordsOf(query.q ?? ''), sort, hasAnyTerm: true })
  return { ...page, nextCursor: nextCursor && ANY_TERM + nextCursor, hasAnyTerm: true }
}

export const NO_PAGE: FittingPage = { articles: [], nextCursor: null, isLimited: false, hasAnyTerm: false }

async function listPage(
  ctx: Context,
  viewer: Viewer | undefined,
  origin: string,
  query: Query,
  { tokens = MAX_ANSWER_TOKENS, preferred }: Options,
): Promise<FittingPage> {
  const room = tokens - RESERVED_TOKENS
  const countFitting = (all: ListedArticle[]) =>
    countWithin(
      all.map((article) => tokensOf(toListed(article, origin, 0))),
      room,
    )
  const { data, pagination, isLimited } = await listArticles(ctx, viewer, query, preferred, countFitting)
  const pages = LEAD_CHARACTERS.values().map(({ breaking, others }) =>
    data.map((article) => toListed(article, origin, article.impact?.compatibility === 'breaking' ? breaking : others)),
  )
  const articles = pages.find((page) => page.reduce((sum, one) => sum + tokensOf(one), 0) <= room) ?? []
  return { articles, nextCursor: pagination.nextCursor, isLimited, hasAnyTerm: false }
}
