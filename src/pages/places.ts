const NAME = '([\\w.-]{1,100})'
const REPOSITORY = new RegExp(`^${NAME}/${NAME}$`)
const PULL = new RegExp(`^${NAME}/${NAME}(?:/pull/|#)([1-9]\\d{0,8})(?:[/?#]|$)`)

export interface RepositoryPlace {
  owner: string
  repo: string
}

export interface PullPlace {
  name: RepositoryPlace
  number: number
}

/** A repository of the code host, as people write it: `owner/repo`, or an address to look at or to clone. */
export function repositoryIn(text: string, webUrl: URL): RepositoryPlace | undefined {
  const path = pathOf(text, webUrl)?.split('/').slice(0, 2).join('/')
  const [, owner, repo] = REPOSITORY.exec(path ?? '') ?? []
  return owner && repo ? { owner, repo: repo.replace(/\.git$/, '') } : undefined
}

/** A pull request of the code host, as people write it: `owner/repo#1`, or the address of any page about it. */
export function pullIn(text: string, webUrl: URL): PullPlace | undefined {
  const [, owner, repo, number] = PULL.exec(pathOf(text, webUrl) ?? '') ?? []
  return owner && repo && number ? { name: { owner, repo }, number: Number(number) } : undefined
}

/** What follows the code host's address, where there is one; undefined where it is another's. */
function pathOf(text: string, webUrl: URL): string | undefined {
  const trimmed = text.trim().replace(/^git@([^:/]+):/, 'https://$1/')
  const base = `${bare(webUrl.host)}${webUrl.pathname.replace(/\/$/, '')}/`
  const withoutScheme = bare(trimmed.replace(/^https?:\/\//i, ''))
  if (withoutScheme.toLowerCase().startsWith(base.toLowerCase())) return withoutScheme.slice(base.length)
  return trimmed === withoutScheme ? trimmed : undefined
}

function bare(host: string): string {
  return host.replace(/^www\./i, '')
}
