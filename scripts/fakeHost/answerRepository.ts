import type { FakePull, FakeRepository } from './fakeRepository.ts'
import { createdAt, updatedAt } from './pullDefaults.ts'
import { renderIssue } from './renderIssue.ts'
import { listOf } from './renderLists.ts'
import { diffOf, renderPull, renderSummary } from './renderPull.ts'
import { renderRepository } from './renderRepository.ts'

export interface FakeAnswer {
  status: number
  body: object | string
  headers?: Record<string, string>
}

interface Known {
  repositories: FakeRepository[]
  /** The ids of repositories by former names, in lower case. */
  formerNames: Map<string, number>
}

interface Asked {
  url: URL
  accept: string
  /** The user of the token; undefined without a token. */
  login: string | undefined
}

const ABOUT_REPOSITORY = /^(?:\/repos\/([^/]+\/[^/]+)|\/repositories\/(\d+))(\/.*)?$/
/** The page of a pull request, which articles link to. */
const PAGE = /^\/([^/]+\/[^/]+)\/pull\/(\d+)(?:\/.*)?$/

export const ABSENT = refusal(404, 'Not Found')

/** An error response in the format that the host uses for all errors. */
export function refusal(status: number, message: string): FakeAnswer {
  return { status, body: { message, documentation_url: 'https://docs.host.example.com/rest', status: String(status) } }
}

function movedTo(location: string): FakeAnswer {
  const { status, body } = refusal(301, 'Moved Permanently')
  return { status, body: { ...(body as object), url: location }, headers: { location } }
}

/** The response about a repository, by its name or id, as far as the user may see it. */
export function answerRepository({ repositories, formerNames }: Known, { url, accept, login }: Asked): FakeAnswer {
  const { origin, pathname, search } = url
  const isPage = PAGE.test(pathname)
  const [, name, id, rest = ''] = ABOUT_REPOSITORY.exec(pathname.replace(PAGE, '/repos/$1/pulls/$2')) ?? []
  const newId = name && formerNames.get(name.toLowerCase())
  if (newId) return movedTo(`${origin}/repositories/${newId}${rest}${search}`)
  const found = repositories.find((candidate) =>
    id ? candidate.id === Number(id) : `${candidate.owner}/${candidate.name}`.toLowerCase() === name?.toLowerCase(),
  )
  if (!found) return ABSENT
  if (found.isBlocked) return refusal(403, 'Repository access blocked')
  if (found.forbidsTokens && login !== undefined) return singleSignOn(found)
  const isMember = !found.private || found.members?.includes(login ?? '')
  if (!isMember && !found.describedTo?.includes(login ?? '')) return ABSENT
  if (rest === '') return { status: 200, body: renderRepository(found) }
  if (!isMember) return refusal(403, 'Resource not accessible by this token')
  return answerPulls(found, rest, url, isPage ? 'diff' : accept)
}

function singleSignOn({ authorizationUrl }: FakeRepository): FakeAnswer {
  const { status, body } = refusal(403, 'Resource protected by organization SAML enforcement.')
  return { status, body, headers: authorizationUrl ? { 'x-github-sso': `required; url=${authorizationUrl}` } : {} }
}

/** The repositories whose name or description holds all words of `q`, as far as the user may see them. */
export function answerSearch(repositories: FakeRepository[], { url, login = '' }: Asked): FakeAnswer {
  const { searchParams } = url
  const words = (searchParams.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return refusal(422, 'Validation Failed')
  const found = repositories.filter((repository) => {
    const { owner, name, description, private: hidden, members = [], describedTo = [] } = repository
    const text = `${owner}/${name} ${description ?? ''}`.toLowerCase()
    return (!hidden || [...members, ...describedTo].includes(login)) && words.every((word) => text.includes(word))
  })
  const items = found
    .slice(0, Number(searchParams.get('per_page') ?? 30))
    .map((repository) => ({ ...renderRepository(repository), score: 1 }))
  return { status: 200, body: { total_count: found.length, incomplete_results: false, items } }
}

/** Responds to requests below a repository; `rest` is the path after its name. */
function answerPulls(repository: FakeRepository, rest: string, url: URL, accept: string): FakeAnswer {
  const query = url.searchParams
  const pulls = repository.pulls ?? []
  if (rest === '/pulls') {
    const state = query.get('state') ?? 'open'
    const orderOf = query.get('sort') === 'updated' ? updatedAt : createdAt
    const listed = pulls
      .filter((pull) => state === 'all' || (pull.state ?? 'closed') === state)
      .toSorted((a, b) => orderOf(b).localeCompare(orderOf(a)))
    return page(
      listed.map((pull) => () => renderSummary(repository, pull)),
      url,
    )
  }
  const content = repository.contents?.[/^\/contents\/(.+)$/.exec(rest)?.[1] ?? '']
  if (content !== undefined) return { status: 200, body: content }
  const [, kind = '', number, part = ''] = /^\/(pulls|issues)\/(\d+)(\/\w+)?$/.exec(rest) ?? []
  const pull = pulls.find((candidate) => candidate.number === Number(number))
  if (kind + part === 'issues') return answerIssue(repository, Number(number), pull, url.origin)
  if (!pull) return ABSENT
  if (kind + part !== 'pulls') return page(listOf(repository, pull, kind + part), url)
  if (!/diff/.test(accept)) return { status: 200, body: renderPull(repository, pull) }
  const diff = diffOf(pull)
  if (diff === null) return refusal(406, 'The diff exceeded the maximum number of lines')
  return { status: 200, body: diff }
}

function answerIssue(
  repository: FakeRepository,
  number: number,
  pull: FakePull | undefined,
  origin: string,
): FakeAnswer {
  const issue = repository.issues?.find((candidate) => candidate.number === number) ?? pull
  if (!issue) return ABSENT
  if (!('movedTo' in issue) || !issue.movedTo)
    return { status: 200, body: renderIssue(repository, issue, issue === pull) }
  return movedTo(`${origin}/repositories/${issue.movedTo.repository}/issues/${issue.movedTo.number}`)
}

function page(items: (() => object)[] | undefined, { href, searchParams }: URL): FakeAnswer {
  if (!items) return ABSENT
  const perPage = Number(searchParams.get('per_page') ?? 30)
  const number = Number(searchParams.get('page') ?? 1)
  const next = new URL(href)
  next.searchParams.set('page', String(number + 1))
  return {
    status: 200,
    body: items.slice((number - 1) * perPage, number * perPage).map((render) => render()),
    headers: items.length > number * perPage ? { link: `<${next.href}>; rel="next"` } : {},
  }
}
