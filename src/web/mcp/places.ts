import type { Context } from '../../context.ts'
import { type PullPlace, pullIn, type RepositoryPlace, repositoryIn } from '../../domain/repositories/parseAddress.ts'
import { Problem } from '../../errors.ts'

export interface PullInput {
  pullRequest?: string
  repository?: string
  number?: number
}

/** How a pull request is named in arguments. */
export const PULL_NAMES = 'pullRequest, or repository and number'

export const timeSchema = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
}

const repository = {
  type: 'string',
  maxLength: 300,
  description: 'Repository as owner/name, or its URL.',
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

/** The time in an argument. Throws for leap seconds, which `timeSchema` allows but JavaScript cannot represent. */
export function requireTime(name: string, text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new Problem(
      'VALIDATION_ERROR',
      `\`${name}\` is not a time. Send one such as 2026-11-01T00:00:00Z, or a date.`,
    )
  return time
}

export function requireRepository({ config }: Pick<Context, 'config'>, text: string): RepositoryPlace {
  const place = repositoryIn(text, config.codeHost.webUrl)
  if (!place)
    throw new Problem(
      'VALIDATION_ERROR',
      `\`repository\` is not a repository of this code host. Send owner/name, or a URL such as ${exampleUrl(config)}.`,
    )
  return place
}

/** The pull request that the arguments name in one of two ways; undefined if they name none. */
export function pullOf(ctx: Pick<Context, 'config'>, { pullRequest, repository, number }: PullInput) {
  if (pullRequest !== undefined) {
    if (repository !== undefined || number !== undefined) throw namedTwice(PULL_NAMES)
    const place = pullIn(pullRequest, ctx.config.codeHost.webUrl)
    if (!place)
      throw new Problem(
        'VALIDATION_ERROR',
        `\`pullRequest\` is not a pull request of this code host. Send owner/name#number, or a URL such as ${exampleUrl(ctx.config)}/pull/1.`,
      )
    return place
  }
  if (repository === undefined && number === undefined) return undefined
  if (repository === undefined || number === undefined)
    throw new Problem('VALIDATION_ERROR', '`repository` and `number` are required together.')
  return { name: requireRepository(ctx, repository), number } satisfies PullPlace
}

export function namedTwice(alternatives: string): Problem {
  return new Problem('VALIDATION_ERROR', `Send only one of them: ${alternatives}.`)
}

function exampleUrl({ codeHost }: Context['config']): string {
  return `${codeHost.webUrl.href.replace(/\/$/, '')}/owner/name`
}
