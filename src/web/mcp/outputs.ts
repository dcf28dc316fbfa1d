/** Pieces of output schemas. Clients show them to models, so they are short. */
const text = { type: 'string' }
export const textOrNull = { type: ['string', 'null'] }
const integer = { type: 'integer' }
const texts = { type: 'array', items: text }

function list(properties: Record<string, object>) {
  return { type: 'array', items: { type: 'object', properties } }
}

const page = { type: 'string', description: 'URL of the article for people' }
const cited = { text, citations: { ...texts, description: 'path:lines in `files`' } }

export const articleProperties = {
  notice: text,
  articleId: text,
  page,
  language: text,
  languages: texts,
  kind: { type: 'string', description: '`outline`: made from the diff without a model' },
  isStale: { type: 'boolean', description: 'Whether the pull request changed since' },
  repository: text,
  number: integer,
  pullRequest: text,
  author: text,
  state: text,
  mergedAt: textOrNull,
  title: text,
  lead: textOrNull,
  leadCitations: texts,
  impact: { type: ['object', 'null'] },
  background: textOrNull,
  reasons: list({ ...cited, basis: text, quotes: { ...texts, description: 'From the pull request or its issues' } }),
  changes: list({ heading: textOrNull, types: texts, ...cited }),
  points: list({ categories: texts, ...cited }),
  mismatches: { ...list(cited), description: 'Where the description differs from the diff' },
  terms: list({ term: text, meaning: text }),
  coverage: {
    type: 'object',
    description: 'How many changed files were read; `unread` names the first of the others',
  },
  filesUrl: text,
  files: {
    type: 'object',
    additionalProperties: text,
    description: 'URL of lines: filesUrl + files[path] + R1-R9, or L1-L9 if (old)',
  },
  omitted: { type: 'integer', description: 'Parts left out for length; see `page`' },
}

export const listedProperties = {
  notice: text,
  articles: list({
    articleId: text,
    page,
    language: text,
    title: text,
    lead: textOrNull,
    snippet: textOrNull,
    compatibility: textOrNull,
    changeTypes: texts,
    repository: text,
    number: integer,
    pullRequest: text,
    mergedAt: textOrNull,
  }),
  nextCursor: textOrNull,
}

export const jobProperties = { id: text, status: text, stage: text, progress: { type: 'number' }, language: text }

export const mergeProperties = list({ number: integer, pullRequest: text, title: text, author: text, mergedAt: text })
