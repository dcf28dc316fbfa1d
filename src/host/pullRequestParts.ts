import {
  type ApiAuthor,
  isCount,
  isId,
  isPath,
  isText,
  type Maybe,
  objectIdOf,
  requireValid,
  timeOf,
  toBody,
  toCommitId,
  toLogin,
  toTime,
  urlOf,
} from './fields.ts'

const STATUSES = ['added', 'removed', 'modified', 'renamed', 'copied', 'changed', 'unchanged'] as const

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
  url: string | null
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
  requireValid(isPath(data.filename) && isCount(data.additions) && isCount(data.deletions))
  return {
    path: data.filename,
    previousPath: isPath(data.previous_filename) ? data.previous_filename : null,
    status: STATUSES.find((status) => status === data.status) ?? 'changed',
    additions: data.additions,
    deletions: data.deletions,
    blobSha: objectIdOf(data.sha),
    patch: data.patch || null,
  }
}

interface ApiCommit {
  sha: string
  commit: { message: string; author?: Maybe<{ name?: string; date?: string }> }
  author?: Maybe<object>
}

export function toCommit({ sha, commit, author }: ApiCommit): HostCommit {
  requireValid(typeof commit?.message === 'string')
  const login = author && 'login' in author ? (author.login as string) : undefined
  return {
    sha: toCommitId(sha),
    message: toBody(commit.message),
    author: toLogin({ login: login ?? commit.author?.name?.slice(0, 255) ?? '' }),
    authoredAt: timeOf(commit.author?.date),
  }
}

interface ApiComment {
  user: ApiAuthor
  body?: string | undefined
  created_at: string
  html_url?: string | undefined
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
    line: isId(data.line) ? (data.line as number) : null,
    reviewState: null,
    url: urlOf(data.html_url),
  }
}

interface ApiReview {
  user: ApiAuthor
  body: string
  state: string
  html_url?: string | undefined
  submitted_at?: string | undefined
}

/** A pending review is visible only to its author, so it is skipped. */
export function toReview(data: ApiReview): HostComment | undefined {
  if (data.state === 'PENDING' || !data.submitted_at) return undefined
  requireValid(isText(data.state, 50))
  return {
    kind: 'review',
    author: toLogin(data.user),
    body: toBody(data.body),
    createdAt: toTime(data.submitted_at),
    path: null,
    line: null,
    reviewState: data.state,
    url: urlOf(data.html_url),
  }
}
