import { declaredParameters } from '../../contract.ts'

/** Pieces of input schemas. Clients show them to models, so they are short. */

/** The rules for values are those of the operation listArticles. */
const { compatibility, ...declared } = declaredParameters('/articles', 'get')
export const { q, sort, cursor } = declared

export const compatibilityProperty = {
  ...(compatibility as { items: object }).items,
  description: 'Only changes with this effect.',
}

export const timeSchema = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
}

export const languageProperty = {
  language: {
    type: 'string',
    pattern: '^[a-z]{2}$',
    description: 'Preferred language, such as en; by default that of the account.',
  },
}

const repository = {
  type: 'string',
  maxLength: 300,
  description: 'owner/name, URL, or a name that only one repository has.',
}

export const repositoryProperty = { repository }

export const pullProperties = {
  pullRequest: {
    type: 'string',
    maxLength: 1000,
    description: 'URL of the pull request, or owner/name#number.',
  },
  repository,
  number: { type: 'integer', minimum: 1, maximum: 999_999_999, description: 'Number of the pull request.' },
}
