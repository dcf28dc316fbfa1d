import { createHash } from 'node:crypto'
import type { FakeRepository } from './fakeHost.ts'

export interface FakeFile {
  filename: string
  status?: string
  additions?: number
  deletions?: number
  previous_filename?: string
  patch?: string
  sha?: string
}

export interface FakeComment {
  author: string | null
  body: string | null
  at: string
  path?: string
  line?: number
  state?: string
}

/** A pull request on the host. Omitted fields get defaults. */
export interface FakePull {
  number: number
  title?: string
  body?: string | null
  author?: string | null
  state?: 'open' | 'closed'
  draft?: boolean
  mergedAt?: string | null
  head?: string
  base?: string
  createdAt?: string
  updatedAt?: string
  files?: FakeFile[]
  /** Overrides the count, for hosts that list fewer files than they count. */
  changedFiles?: number
  /** `null` if the host refuses to return the diff. */
  diff?: string | null
  comments?: FakeComment[]
  reviewComments?: FakeComment[]
  reviews?: FakeComment[]
  commits?: { message: string; author: string | null; date?: string }[]
  /** Changes only the ETag. */
  noise?: number
}

export interface PullAnswer {
  status: number
  body: object | string
  headers?: Record<string, string>
}

const LISTED_FILES = 3000
const absent: PullAnswer = { status: 404, body: { message: 'Not Found' } }

/** Responds to requests below a repository; `rest` is the path after its name. */
export function answerPulls(repository: FakeRepository, rest: string, url: URL, accept: string): PullAnswer {
  const pulls = repository.pulls ?? []
  if (rest === '/pulls') {
    const state = url.searchParams.get('state') ?? 'open'
    const listed = pulls
      .filter((pull) => state === 'all' || (pull.state ?? 'closed') === state)
      .toSorted((a, b) => createdAt(b).localeCompare(createdAt(a)))
    return page(
      url,
      listed.map((pull) => summary(repository, pull)),
    )
  }
  const [, kind, number, part = ''] = /^\/(pulls|issues)\/(\d+)(\/\w+)?$/.exec(rest) ?? []
  const pull = pulls.find((candidate) => candidate.number === Number(number))
  if (!pull) return absent
  switch (kind + part) {
    case 'pulls':
      return /diff/.test(accept) ? diffOf(pull) : { status: 200, body: whole(repository, pull) }
    case 'pulls/files':
      return page(url, (pull.files ?? []).slice(0, LISTED_FILES).map(fileOf))
    case 'pulls/commits':
      return page(
        url,
        commitsOf(pull).map(({ message, author, date }, i) => ({
          sha: sha(`${pull.number} ${i}`),
          commit: { message, author: { name: 'A name', date: date ?? createdAt(pull) } },
          author: author && { login: author },
        })),
      )
    case 'issues/comments':
      return page(url, (pull.comments ?? []).map(commentOf))
    case 'pulls/comments':
      return page(url, (pull.reviewComments ?? []).map(commentOf))
    case 'pulls/reviews':
      return page(
        url,
        (pull.reviews ?? []).map((review) => ({
          ...commentOf(review),
          state: review.state ?? 'COMMENTED',
          ...(review.state !== 'PENDING' && { submitted_at: review.at }),
        })),
      )
    default:
      return absent
  }
}

function page(url: URL, items: object[]): PullAnswer {
  const perPage = Number(url.searchParams.get('per_page') ?? 30)
  const number = Number(url.searchParams.get('page') ?? 1)
  const hasMore = items.length > number * perPage
  return {
    status: 200,
    body: items.slice((number - 1) * perPage, number * perPage),
    headers: hasMore ? { link: `<http://host/?page=${number + 1}>; rel="next"` } : {},
  }
}

function summary({ id, owner, name, private: hidden = false }: FakeRepository, pull: FakePull) {
  const author = pull.author === undefined ? 'author' : pull.author
  return {
    number: pull.number,
    html_url: `https://host.example.com/${owner}/${name}/pull/${pull.number}`,
    title: pull.title ?? `Pull request ${pull.number}`,
    user: author && { login: author },
    body: pull.body === undefined ? 'Why' : pull.body,
    state: pull.state ?? 'closed',
    draft: pull.draft ?? false,
    merged_at: pull.mergedAt ?? null,
    created_at: createdAt(pull),
    updated_at: pull.updatedAt ?? createdAt(pull),
    head: { sha: pull.head ?? sha(`head ${pull.number}`), repo: null },
    base: { sha: pull.base ?? sha('base'), repo: { id, name, private: hidden, owner: { login: owner } } },
    noise: pull.noise,
  }
}

export function whole(repository: FakeRepository, pull: FakePull) {
  const files = (pull.files ?? []).map(fileOf)
  return {
    ...summary(repository, pull),
    merged: Boolean(pull.mergedAt),
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: pull.changedFiles ?? files.length,
    commits: commitsOf(pull).length,
    comments: pull.comments?.length ?? 0,
    review_comments: pull.reviewComments?.length ?? 0,
  }
}

function diffOf({ diff, files = [] }: FakePull): PullAnswer {
  if (diff === null) return { status: 406, body: { message: 'The diff exceeded the maximum number of lines' } }
  const sections = files.map(
    ({ filename, patch }) => `diff --git a/${filename} b/${filename}\nindex 1..2 100644\n${patch ? `${patch}\n` : ''}`,
  )
  return { status: 200, body: diff ?? sections.join('') }
}

function fileOf(file: FakeFile) {
  return { status: 'modified', additions: 1, deletions: 1, sha: sha(file.filename), ...file }
}

function commentOf({ author, body, at, path, line }: FakeComment) {
  return { user: author && { login: author }, body, created_at: at, ...(path && { path, line }) }
}

function commitsOf(pull: FakePull): NonNullable<FakePull['commits']> {
  return pull.commits ?? [{ message: 'A commit', author: 'author' }]
}

function createdAt(pull: FakePull): string {
  return pull.createdAt ?? '2026-01-01T00:00:00Z'
}

export function sha(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
