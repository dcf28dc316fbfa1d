import { listMerges } from '../merges/listMerges.ts'
import { DEFAULT_LIMIT, lineOf, listFitting, MAX_LIMIT, moreLine } from './listed.ts'
import { listedProperties, mergeProperties } from './outputs.ts'
import { repositoryProperty, requireRepository, requireTime, timeSchema } from './places.ts'
import { languageProperty } from './readArticle.ts'
import { createRoom } from './room.ts'
import { countOf } from './searchArticles.ts'
import { clipToTokens, MAX_ANSWER_TOKENS } from './tokenBound.ts'
import { READ_ONLY, type Tool } from './tool.ts'

interface Input {
  repository: string
  since: string
  language?: string
  limit: number
  cursor?: string
}

const MAX_MERGES = 100
const MERGES_TOKENS = 2500
const MAX_TITLE_TOKENS = 150

export const whatChanged: Tool<Input> = {
  name: 'what_changed',
  title: 'What changed in a repository',
  description:
    'Lists articles about the pull requests of a repository that were merged since a time, last merged first, and, if the repository is watched, the merged pull requests without an article.',
  annotations: READ_ONLY,
  inputSchema: {
    type: 'object',
    properties: {
      ...repositoryProperty,
      since: {
        ...timeSchema,
        description: 'A time such as 2026-11-01T00:00:00Z, or a date.',
      },
      ...languageProperty,
      limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      cursor: { type: 'string', maxLength: 200, description: '`nextCursor` of the previous page.' },
    },
    required: ['repository', 'since'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      ...listedProperties,
      isWatched: { type: 'boolean', description: 'Whether `withoutArticle` is known' },
      withoutArticle: { ...mergeProperties, description: 'On the first page only' },
      hasMoreWithoutArticle: { type: 'boolean', description: 'Whether there are or may be more' },
    },
    required: ['articles', 'nextCursor', 'isWatched', 'withoutArticle'],
  },
  cost: () => 'reads',
  async run(ctx, { repository, since, language, limit, cursor }, { viewer, origin }) {
    const name = requireRepository(ctx, repository)
    const time = requireTime('since', since)
    const merges = await listMerges(ctx, viewer, name, { limit: MAX_MERGES, wanted: false })
    const isWatched = merges.watching !== null
    const recent = merges.data.filter(({ mergedAt }) => new Date(mergedAt) >= time)
    const missing = isWatched && cursor === undefined ? recent.filter(({ articleId }) => articleId === null) : []
    const listedMerges = missing.map((merge) => ({
      number: merge.prNumber,
      pullRequest: merge.hostPrUrl,
      title: clipToTokens(merge.title, MAX_TITLE_TOKENS),
      author: merge.authorLogin,
      mergedAt: merge.mergedAt,
    }))
    const withoutArticle = createRoom(MERGES_TOKENS).first(
      listedMerges.map((merge) => ({ merge, line: `- #${merge.number} ${merge.title}` })),
    )
    const filters = { repository: `${name.owner}/${name.repo}`, mergedSince: time.toISOString() }
    const query = { ...filters, sort: 'merged' as const, limit, ...(cursor !== undefined && { cursor }) }
    const room = { tokens: MAX_ANSWER_TOKENS - MERGES_TOKENS, preferred: language ?? viewer?.user.language }
    const { articles, nextCursor } = await listFitting(ctx, viewer, origin, query, room)
    // If all known merges are that recent, earlier ones may be unknown.
    const isCut = withoutArticle.length < missing.length || recent.length === merges.data.length
    return {
      structured: {
        ...{ articles, nextCursor, isWatched, withoutArticle: withoutArticle.map(({ merge }) => merge) },
        hasMoreWithoutArticle: isWatched && cursor === undefined && isCut,
      },
      text: [
        headOf(articles.length, cursor === undefined && isWatched ? withoutArticle.length : undefined, isWatched),
        ...articles.map(lineOf),
        ...moreLine(nextCursor),
        ...(withoutArticle.length > 0 ? ['Without an article:', ...withoutArticle.map(({ line }) => line)] : []),
      ].join('\n'),
    }
  },
}

/** `others` is undefined if they are not listed. */
function headOf(count: number, others: number | undefined, isWatched: boolean): string {
  const articles = countOf(count, 'article')
  if (!isWatched) return `${articles}. The repository is not watched: other merged pull requests are unknown.`
  return others === undefined ? `${articles}.` : `${articles}, ${countOf(others, 'merged pull request')} without one.`
}
