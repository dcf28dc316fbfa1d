import { clip } from '../lib/clip.ts'
import {
  type ApiAuthor,
  type ApiLabels,
  isBot,
  isCount,
  type Maybe,
  oneOf,
  requireValid,
  textOf,
  timeOf,
  toBody,
  toCommitId,
  toLabels,
  toLogin,
  toTime,
  toUrl,
} from './fields.ts'
import { type ApiRepository, type HostRepository, toRepository } from './repository.ts'

export const STATES = ['open', 'closed'] as const
const MAX_NAME_LENGTH = 1000
const MAX_DESCRIPTION_LENGTH = 1000

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
  mergedAt: string | null
  authorIsBot: boolean
  labels: string[]
  milestone: string | null
  baseBranch: string | null
  repositoryDescription: string | null
  headSha: string
  baseSha: string
  additions: number
  deletions: number
  changedFiles: number
  commits: number
  comments: number
  reviewComments: number
}

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
  labels?: ApiLabels
  milestone?: Maybe<{ title: string }>
  head: { sha: string }
  base: { sha: string; ref?: string; repo: ApiRepository & { description?: string | null } }
  additions: number
  deletions: number
  changed_files: number
  commits: number
  comments: number
  review_comments: number
}

export function toSummary(data: ApiSummary): HostSummary {
  requireValid(isCount(data.number) && typeof data.title === 'string' && data.title.length <= 1000)
  return {
    repository: toRepository(data.base?.repo),
    number: data.number,
    url: toUrl(data.html_url),
    title: data.title,
    author: toLogin(data.user),
    state: oneOf(STATES, data.state),
    merged: timeOf(data.merged_at) !== null,
    draft: data.draft === true,
    createdAt: toTime(data.created_at),
    updatedAt: toTime(data.updated_at),
  }
}

/** A closed pull request in a list that also says whether and when it was merged. */
export interface HostClosedPull extends Pick<HostSummary, 'repository' | 'number' | 'url' | 'title' | 'author'> {
  authorIsBot: boolean
  /** Null if it was closed without merging. */
  mergedAt: string | null
  updatedAt: string
}

export function toClosedPull(data: ApiSummary): HostClosedPull {
  const { repository, number, url, title, author, updatedAt } = toSummary(data)
  const mergedAt = timeOf(data.merged_at)
  return { repository, number, url, title, author, authorIsBot: isBot(data.user), mergedAt, updatedAt }
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
  requireValid(Object.values(counts).every(isCount) && (!data.body || typeof data.body === 'string'))
  return {
    ...toSummary(data),
    ...counts,
    body: toBody(data.body) || null,
    mergedAt: timeOf(data.merged_at),
    authorIsBot: isBot(data.user),
    labels: toLabels(data.labels),
    milestone: textOf(data.milestone?.title, MAX_NAME_LENGTH),
    baseBranch: textOf(data.base.ref, MAX_NAME_LENGTH),
    repositoryDescription: clip(toBody(data.base.repo.description), MAX_DESCRIPTION_LENGTH).text || null,
    headSha: toCommitId(data.head?.sha),
    baseSha: toCommitId(data.base.sha),
  }
}
