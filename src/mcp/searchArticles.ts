import { declaredParameters } from '../contract.ts'
import type { ArticleFilters } from '../search/listArticles.ts'
import { DEFAULT_LIMIT, listFitting, MAX_LIMIT } from './listed.ts'
import { listedProperties } from './outputs.ts'
import { READ_ONLY, type Tool } from './tool.ts'

interface Input extends Pick<ArticleFilters, 'repository' | 'language' | 'compatibility' | 'mergedSince'> {
  query?: string
  sort?: 'newest' | 'merged' | 'likes' | 'relevance'
  limit: number
  cursor?: string
}

/** The rules for values are those of the operation listArticles. */
const { q, repository, language, compatibility, mergedSince, sort, cursor } = declaredParameters('/articles', 'get')

export const searchArticles: Tool<Input> = {
  name: 'search_articles',
  title: 'Search articles',
  description:
    'Searches articles that explain pull requests, or lists the newest. The query takes words, "phrases", -exclusions and the filters repo:owner/name, type:fix and lang:en.',
  annotations: READ_ONLY,
  inputSchema: {
    type: 'object',
    properties: {
      query: { ...q, description: 'What to search for; without it, articles are listed.' },
      repository: { ...repository, description: 'Only this repository, as owner/name.' },
      language: { ...language, description: 'Only texts in this language, such as en.' },
      compatibility: { ...compatibility, description: 'Only changes with this effect.' },
      mergedSince: { ...mergedSince, description: 'Only pull requests merged since this time.' },
      sort: { ...sort, description: 'By default relevance, or newest without a query.' },
      limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      cursor: { ...cursor, description: '`nextCursor` of the previous page.' },
    },
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { ...listedProperties, isLimited: { type: 'boolean', description: 'Only the newest 1,000 matches' } },
    required: ['articles', 'nextCursor'],
  },
  cost: ({ query }) => (query ? 'search' : 'reads'),
  async run(ctx, { query, ...filters }, { viewer, origin }) {
    const found = await listFitting(ctx, viewer, origin, { ...filters, ...(query !== undefined && { q: query }) })
    const { articles, nextCursor } = found
    const more = nextCursor ? ' There are more: pass nextCursor as cursor.' : ''
    const text = articles.length === 0 ? 'No articles found.' : `${countOf(articles.length)}.${more}`
    return { structured: found, text }
  },
}

export function countOf(count: number): string {
  return `${count} ${count === 1 ? 'article' : 'articles'}`
}
