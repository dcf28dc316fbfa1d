const NAME_GROUP = '([\\w.-]{1,100})'
/** The name of an owner or a repository. */
export const NAME = new RegExp(`^${NAME_GROUP}$`)
const REPOSITORY = new RegExp(`^${NAME_GROUP}/${NAME_GROUP}$`)
const PULL = new RegExp(`^${NAME_GROUP}/${NAME_GROUP}(?:/pull/|#)([1-9]\\d{0,8})(?:[/?#]|$)`)

export interface RepositoryPlace {
  owner: string
  repo: string
}

export interface PullPlace {
  name: RepositoryPlace
  number: number
}

/** Parses a repository of the code host: `owner/repo`, or a web or clone URL. */
export function repositoryIn(text: string, webUrl: URL): RepositoryPlace | undefined {
  const path = pathOnHost(text, webUrl)?.split('/').slice(0, 2).join('/')
  const [, owner, repo] = REPOSITORY.exec(path ?? '') ?? []
  return owner && repo ? { owner, repo: repo.replace(/\.git$/, '') } : undefined
}

/** Parses a pull request of the code host: `owner/repo#1`, or the URL of any of its pages. */
export function pullIn(text: string, webUrl: URL): PullPlace | undefined {
  const [, owner, repo, number] = PULL.exec(pathOnHost(text, webUrl) ?? '') ?? []
  return owner && repo && number ? { name: { owner, repo }, number: Number(number) } : undefined
}

/** Matches the host of a URL. A URL without a scheme needs a dot in its host. */
const HOST = /^(?:https?:\/\/|(?:ssh:\/\/)?git@)(?:www\.)?([\w.-]+(?::\d+)?)[/:]|^(?:www\.)?((?:[\w-]+\.)+[a-z]{2,})\//i

/** The host of a URL, unless it is that of the code host. */
export function otherHostIn(text: string, webUrl: URL): string | undefined {
  const [, withScheme, bare] = HOST.exec(text.trim()) ?? []
  const host = (withScheme ?? bare)?.toLowerCase()
  return host === withoutWww(webUrl.host) ? undefined : host
}

/** The path after the code host's URL, or the text itself if it is no URL; undefined for other hosts. */
function pathOnHost(text: string, webUrl: URL): string | undefined {
  const trimmed = text.trim().replace(/^git@([^:/]+):/, 'https://$1/')
  const base = `${withoutWww(webUrl.host)}${webUrl.pathname.replace(/\/$/, '')}/`
  const withoutScheme = withoutWww(trimmed.replace(/^https?:\/\//i, ''))
  if (withoutScheme.toLowerCase().startsWith(base.toLowerCase())) return withoutScheme.slice(base.length)
  return trimmed === withoutScheme ? trimmed : undefined
}

function withoutWww(host: string): string {
  return host.replace(/^www\./i, '')
}
