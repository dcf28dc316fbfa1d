import type { FakePull, FakeRepository } from './fakeRepository.ts'
import { diffOf, listOf, renderIssue, renderRepository, summary, whole } from './renderPull.ts'

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
  /** Undefined without a token. */
  login: string | undefined
}

const ABOUT_REPOSITORY = /^(?:\/repos\/([^/]+\/[^/]+)|\/repositories\/(\d+))(\/.*)?$/
/** The page of a pull request, which articles link to. */
const PAGE = /^\/([^/]+\/[^/]+)\/pull\/(\d+)(?:\/.*)?$/

export const ABSENT: FakeAnswer = { status: 404, body: { message: 'Not Found' } }

/** The response about a repository, by its name or id, as far as the user may see it. */
export function answerRepository({ repositories, formerNames }: Known, { url, accept, login = '' }: Asked): FakeAnswer {
  const { pathname, search, searchParams } = url
  const isPage = PAGE.test(pathname)
  const [, name, id, rest = ''] = ABOUT_REPOSITORY.exec(pathname.replace(PAGE, '/repos/$1/pulls/$2')) ?? []
  const movedTo = name && formerNames.get(name.toLowerCase())
  if (movedTo) return { status: 301, body: {}, headers: { location: `/repositories/${movedTo}${rest}${search}` } }
  const found = repositories.find((candidate) =>
    id ? candidate.id === Number(id) : `${candidate.owner}/${candidate.name}`.toLowerCase() === name?.toLowerCase(),
  )
  if (!found) return ABSENT
  const isMember = !found.private || found.members?.includes(login)
  if (!isMember && !found.describedTo?.includes(login)) return ABSENT
  if (rest === '') return { status: 200, body: renderRepository(found) }
  if (!isMember) return { status: 403, body: { message: 'Resource not accessible by this token' } }
  return answerPulls(found, rest, searchParams, isPage ? 'diff' : accept)
}

/** The repositories whose name or description holds all words of `q`, as far as the user may see them. */
export function answerSearch(repositories: FakeRepository[], { url, login = '' }: Asked): FakeAnswer {
  const { searchParams } = url
  const words = (searchParams.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { status: 422, body: { message: 'Validation Failed' } }
  const found = repositories.filter((repository) => {
    const { owner, name, description, private: hidden, members = [], describedTo = [] } = repository
    const text = `${owner}/${name} ${description ?? ''}`.toLowerCase()
    return (!hidden || [...members, ...describedTo].includes(login)) && words.every((word) => text.includes(word))
  })
  const items = found
    .slice(0, Number(searchParams.get('per_page') ?? 30))
    .map((repository) => ({ ...renderRepository(repository), stargazers_count: repository.stars ?? 0 }))
  return { status: 200, body: { total_count: found.length, incomplete_results: false, items } }
}

/** Responds to requests below a repository; `rest` is the path after its name. */
function answerPulls(repository: FakeRepository, rest: string, query: URLSearchParams, accept: string): FakeAnswer {
  const pulls = repository.pulls ?? []
  if (rest === '/pulls') {
    const state = query.get('state') ?? 'open'
    const by = query.get('sort') === 'updated' ? 'updated_at' : 'created_at'
    const listed = pulls
      .map((pull) => summary(repository, pull))
      .filter((pull) => state === 'all' || pull.state === state)
      .toSorted((a, b) => b[by].localeCompare(a[by]))
    return page(listed, query)
  }
  const content = repository.contents?.[/^\/contents\/(.+)$/.exec(rest)?.[1] ?? '']
  if (content !== undefined) return { status: 200, body: content }
  const [, kind = '', number, part = ''] = /^\/(pulls|issues)\/(\d+)(\/\w+)?$/.exec(rest) ?? []
  const pull = pulls.find((candidate) => candidate.number === Number(number))
  if (kind + part === 'issues') return answerIssue(repository, Number(number), pull)
  if (!pull) return ABSENT
  if (kind + part !== 'pulls') return page(listOf(pull, kind + part), query)
  if (!/diff/.test(accept)) return { status: 200, body: whole(repository, pull) }
  const diff = diffOf(pull)
  if (diff === null) return { status: 406, body: { message: 'The diff exceeded the maximum number of lines' } }
  return { status: 200, body: diff }
}

function answerIssue(repository: FakeRepository, number: number, pull: FakePull | undefined): FakeAnswer {
  const issue = repository.issues?.find((candidate) => candidate.number === number) ?? pull
  if (!issue) return ABSENT
  if (!('movedTo' in issue) || !issue.movedTo)
    return { status: 200, body: renderIssue(repository, issue, issue === pull) }
  const location = `/repositories/${issue.movedTo.repository}/issues/${issue.movedTo.number}`
  return { status: 301, body: {}, headers: { location } }
}

function page(items: object[] | undefined, query: URLSearchParams): FakeAnswer {
  if (!items) return ABSENT
  const perPage = Number(query.get('per_page') ?? 30)
  const number = Number(query.get('page') ?? 1)
  const hasMore = items.length > number * perPage
  return {
    status: 200,
    body: items.slice((number - 1) * perPage, number * perPage),
    headers: hasMore ? { link: `<http://host/?page=${number + 1}>; rel="next"` } : {},
  }
}
