import { isCount, isText, understood } from './answers.ts'
import { type ApiRepository, type HostRepository, toRepository } from './repository.ts'

const STATES = ['open', 'closed'] as const
const STATUSES = ['added', 'removed', 'modified', 'renamed', 'copied', 'changed', 'unchanged'] as const
/** Deleted accounts leave their words behind under this name. */
const NOBODY = 'ghost'

export interface HostSummary {
  repository: HostRepository
  number: number
  url: string
  title: string
  author: string
  state: (typeof STATES)[number]
  merged: boolean
  draft: boolean
  createdAt: string
  updatedAt: string
}

export interface HostPullRequest extends HostSummary {
  body: string | null
  headSha: string
  baseSha: string
  additions: number
  deletions: number
  changedFiles: number
  commits: number
  comments: number
  reviewComments: number
}

export interface HostFile {
  path: string
  previousPath: string | null
  status: (typeof STATUSES)[number]
  additions: number
  deletions: number
  blobSha: string | null
  patch: string | null
}

export interface HostCommit {
  sha: string
  message: string
  author: string
  authoredAt: string | null
}

export interface HostComment {
  kind: 'comment' | 'reviewComment' | 'review'
  author: string
  body: string
  createdAt: string
  path: string | null
  line: number | null
  reviewState: string | null
}

type Maybe<T> = T | null | undefined
type ApiAuthor = Maybe<{ login: string }>

interface ApiSummary {
  base: { repo: ApiRepository }
  number: number
  html_url: string
  title: string
  user: ApiAuthor
  state: string
  draft?: boolean | undefined
  merged_at: string | null
  created_at: string
  updated_at: string
}

interface ApiPullRequest extends ApiSummary {
  body: string | null
  merged: boolean
  head: { sha: string }
  base: { sha: string; repo: ApiRepository }
  additions: number
  deletions: number
  changed_files: number
  commits: number
  comments: number
  review_comments: number
}

export function toSummary(data: ApiSummary): HostSummary {
  understood(isCount(data.number) && typeof data.title === 'string' && data.title.length <= 1000)
  return {
    repository: toRepository(data.base?.repo),
    number: data.number,
    url: toUrl(data.html_url),
    title: data.title,
    author: toLogin(data.user),
    state: oneOf(STATES, data.state),
    merged: typeof data.merged_at === 'string',
    draft: data.draft === true,
    createdAt: toTime(data.created_at),
    updatedAt: toTime(data.updated_at),
  }
}

export function toPullRequest(data: ApiPullRequest): HostPullRequest {
  const counts = {
    additions: data.additions,
    deletions: data.deletions,
    changedFiles: data.changed_files,
    commits: data.commits,
    comments: data.comments,
    reviewComments: data.review_comments,
  }
  understood(Object.values(counts).every(isCount) && (!data.body || typeof data.body === 'string'))
  return {
    ...toSummary(data),
    ...counts,
    body: data.body || null,
    headSha: toCommitId(data.head?.sha),
    baseSha: toCommitId(data.base.sha),
  }
}

interface ApiFile {
  filename: string
  previous_filename?: string | undefined
  status: string
  additions: number
  deletions: number
  sha: string | null
  patch?: string | undefined
}

export function toFile(data: ApiFile): HostFile {
  understood(isPath(data.filename) && isCount(data.additions) && isCount(data.deletions))
  return {
    path: data.filename,
    previousPath: isPath(data.previous_filename) ? data.previous_filename : null,
    status: oneOf(STATUSES, data.status),
    additions: data.additions,
    deletions: data.deletions,
    blobSha: data.sha ?? null,
    patch: data.patch || null,
  }
}

interface ApiCommit {
  sha: string
  commit: { message: string; author?: Maybe<{ name?: string; date?: string }> }
  author?: Maybe<object>
}

export function toCommit({ sha, commit, author }: ApiCommit): HostCommit {
  understood(typeof commit?.message === 'string')
  const login = author && 'login' in author ? (author.login as string) : undefined
  return {
    sha: toCommitId(sha),
    message: commit.message,
    author: toLogin({ login: login ?? commit.author?.name?.slice(0, 255) ?? '' }),
    authoredAt: timeOf(commit.author?.date),
  }
}

interface ApiComment {
  user: ApiAuthor
  body?: string | undefined
  created_at: string
  path?: string
  line?: number | undefined
}

export function toComment(kind: HostComment['kind'], data: ApiComment): HostComment {
  return {
    kind,
    author: toLogin(data.user),
    body: toBody(data.body),
    createdAt: toTime(data.created_at),
    path: isPath(data.path) ? data.path : null,
    line: Number.isInteger(data.line) ? (data.line as number) : null,
    reviewState: null,
  }
}

interface ApiReview {
  user: ApiAuthor
  body: string
  state: string
  submitted_at?: string | undefined
}

/** A review that is not sent yet is shown to its author alone, so it is nobody else's to read. */
export function toReview(data: ApiReview): HostComment | undefined {
  if (data.state === 'PENDING' || !data.submitted_at) return undefined
  understood(isText(data.state, 50))
  return {
    kind: 'review',
    author: toLogin(data.user),
    body: toBody(data.body),
    createdAt: toTime(data.submitted_at),
    path: null,
    line: null,
    reviewState: data.state,
  }
}

function toLogin(author: ApiAuthor): string {
  return author && isText(author.login, 255) ? author.login : NOBODY
}

function toBody(body: Maybe<string>): string {
  return typeof body === 'string' ? body : ''
}

function toTime(value: string): string {
  const time = timeOf(value)
  understood(time !== null)
  return time as string
}

/** Of a commit anyone may claim any time, even one that no calendar has. */
function timeOf(value: Maybe<string>): string | null {
  const time = typeof value === 'string' ? new Date(value) : null
  if (!time || Number.isNaN(time.getTime())) return null
  const text = time.toISOString()
  return /^\d{4}-/.test(text) ? text : null
}

function toUrl(value: string): string {
  understood(isText(value, 2000) && /^https?:\/\//.test(value) && URL.canParse(value))
  return value
}

function toCommitId(value: string): string {
  understood(typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value))
  return value
}

function isPath(value: Maybe<string>): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 4096
}

function oneOf<const T extends string>(known: readonly T[], value: string): T {
  understood((known as readonly string[]).includes(value))
  return value as T
}
