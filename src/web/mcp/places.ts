import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/accounts/session.ts'
import { listRepositories } from '../../domain/lists/listRepositories.ts'
import {
  NAME,
  type PullPlace,
  pullIn,
  type RepositoryPlace,
  repositoryIn,
} from '../../domain/repositories/parseAddress.ts'
import { resolveName } from '../../domain/repositories/resolveName.ts'
import { Problem } from '../../errors.ts'

export interface PullInput {
  pullRequest?: string
  repository?: string
  number?: number
}

/** How a pull request is named in arguments. */
export const PULL_NAMES = 'pullRequest, or repository and number'

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

/** The repository that an argument names: as owner/name, by its URL, or by a name that only one repository has. */
export async function requireRepository(
  ctx: Context,
  viewer: Viewer | undefined,
  text: string,
): Promise<RepositoryPlace> {
  const place = repositoryIn(text, ctx.config.codeHost.webUrl)
  if (place) return place
  if (!NAME.test(text.trim()))
    throw new Problem(
      'VALIDATION_ERROR',
      `\`repository\` is not a repository of this code host. Send owner/name, or a URL such as ${exampleUrl(ctx.config)}.`,
    )
  return requireNamed(ctx, viewer, text.trim())
}

async function requireNamed(ctx: Context, viewer: Viewer | undefined, name: string): Promise<RepositoryPlace> {
  const found = await resolveName(ctx, viewer, name)
  const [only] = found
  if (only && found.length === 1) return only
  if (only) throw new Problem('VALIDATION_ERROR', `Several repositories have this name. Send ${oneOf(found)}.`)
  const { data } = await listRepositories(ctx, { text: name, limit: MAX_SIMILAR })
  throw new Problem(
    'VALIDATION_ERROR',
    data.length > 0
      ? `No repository with articles has this name. Similar ones are ${oneOf(data)}.`
      : 'No repository with articles has this name. Send owner/name, or find it with list_repositories.',
  )
}

const MAX_SIMILAR = 5
const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

function oneOf(repositories: RepositoryPlace[]): string {
  return alternatives.format(repositories.map(({ owner, repo }) => `${owner}/${repo}`))
}

/** A pull request whose repository is named without its owner. */
const SHORT_PULL = /^([\w.-]{1,100})#([1-9]\d{0,8})$/

/** The pull request that the arguments name in one of two ways; undefined if they name none. */
export async function pullOf(
  ctx: Context,
  viewer: Viewer | undefined,
  { pullRequest, repository, number }: PullInput,
): Promise<PullPlace | undefined> {
  if (pullRequest !== undefined) {
    if (repository !== undefined || number !== undefined) throw namedTwice(PULL_NAMES)
    const place = pullIn(pullRequest, ctx.config.codeHost.webUrl)
    if (place) return place
    const [, name, digits] = SHORT_PULL.exec(pullRequest.trim()) ?? []
    if (name && digits) return { name: await requireNamed(ctx, viewer, name), number: Number(digits) }
    throw new Problem(
      'VALIDATION_ERROR',
      `\`pullRequest\` is not a pull request of this code host. Send owner/name#number, or a URL such as ${exampleUrl(ctx.config)}/pull/1.`,
    )
  }
  if (repository === undefined && number === undefined) return undefined
  if (repository === undefined || number === undefined)
    throw new Problem('VALIDATION_ERROR', '`repository` and `number` are required together.')
  return { name: await requireRepository(ctx, viewer, repository), number }
}

export function namedTwice(alternatives: string): Problem {
  return new Problem('VALIDATION_ERROR', `Send only one of them: ${alternatives}.`)
}

function exampleUrl({ codeHost }: Context['config']): string {
  return `${codeHost.webUrl.href.replace(/\/$/, '')}/owner/name`
}
