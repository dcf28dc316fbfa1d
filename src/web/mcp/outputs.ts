/** Pieces of output schemas. Clients show them to models, so they are short. */
const text = { type: 'string' }
export const textOrNull = { type: ['string', 'null'] }
const integer = { type: 'integer' }
const texts = { type: 'array', items: text }

export function list(properties: Record<string, object>) {
  return { type: 'array', items: { type: 'object', properties } }
}

export const listedProperties = {
  notice: text,
  articles: list({
    articleId: text,
    page: { type: 'string', description: 'URL for people' },
    language: text,
    title: text,
    compatibility: textOrNull,
    affected: textOrNull,
    lead: textOrNull,
    snippet: textOrNull,
    changeTypes: texts,
    repository: text,
    number: integer,
    pullRequest: text,
    mergedAt: textOrNull,
  }),
  nextCursor: textOrNull,
  hasAnyTerm: { type: 'boolean', description: 'No article has all words; these have some' },
}

export const mergeProperties = list({ number: integer, pullRequest: text, title: text, author: text, mergedAt: text })
