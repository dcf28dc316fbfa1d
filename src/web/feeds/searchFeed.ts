import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { declaredParameters } from '../../contract.ts'
import type { ArticleFilters } from '../../domain/lists/listArticles.ts'
import { inRequestSlot, slotsOf } from '../api/requestSlot.ts'
import { SEARCH_FEED, searchFeedPath } from '../pages/feedPaths.ts'
import { pathWith } from '../pages/pathWith.ts'
import { SEARCH_PATH } from '../pages/views/searchBox.ts'
import { searchEntries } from './searchEntries.ts'
import type { SendAtom } from './sendFeed.ts'

/**
 * The parameters of a search, without those for pagination and the reader's own: a feed has one page, the newest public
 * articles first.
 */
const { limit: _, cursor: __, favorites: ___, ...filters } = declaredParameters('/articles', 'get')

/** Taken from the contract, so that the feed accepts what the operation accepts. */
const querystring = {
  type: 'object',
  properties: {
    ...filters,
    sort: { type: 'string', enum: ['newest'] },
  },
  additionalProperties: false,
}

type Query = ArticleFilters & { sort?: 'newest' }

/** The feed of any search of public articles. */
export function serveSearchFeed(ctx: Context, app: FastifyInstance, sendAtom: SendAtom): void {
  app.get(SEARCH_FEED, { config: { cost: 'search' }, schema: { querystring } }, async (request, reply) => {
    const { sort: _, ...query } = request.query as Query
    const { q, changeType, language } = query
    const path = searchFeedPath(query)
    const entries = await inRequestSlot(slotsOf(ctx).searches, reply, () => searchEntries(ctx, query))
    return sendAtom(request, reply, entries, {
      title: titleOf(path),
      path,
      page: pathWith(SEARCH_PATH, { q, type: changeType?.[0], language, sort: 'newest' }),
      language,
    })
  })
}

/** The title of a feed, made of its path, so that equal searches have equal titles. */
function titleOf(path: string): string {
  const parameters = new URLSearchParams(path.slice(SEARCH_FEED.length))
  const parts = [...parameters].map(([name, value]) => (name === 'q' ? value : `${name}:${value}`))
  return `Pullpress: ${parts.join(' ') || 'newest articles'}`
}
