import {
  type ApiAuthor,
  type ApiLabels,
  isId,
  type Maybe,
  oneOf,
  requireValid,
  toBody,
  toLabels,
  toLogin,
  toUrl,
} from './fields.ts'
import { STATES } from './pullRequest.ts'

export interface HostIssue {
  /** `owner/name` in lower case; null if the URLs in the response disagree. */
  repositoryFullName: string | null
  number: number
  title: string
  body: string | null
  state: (typeof STATES)[number]
  author: string
  labels: string[]
  url: string
}

interface ApiIssue {
  number: number
  html_url: string
  repository_url?: Maybe<string>
  title: string
  body?: Maybe<string>
  user: ApiAuthor
  state: string
  labels?: ApiLabels
}

/** Also decodes a pull request, which the code host returns in the shape of an issue. */
export function toIssue(data: ApiIssue): HostIssue {
  requireValid(isId(data.number) && typeof data.title === 'string' && data.title.length <= 1000)
  return {
    repositoryFullName: repositoryFullNameOf(toUrl(data.html_url), data.repository_url),
    number: data.number,
    title: data.title,
    body: toBody(data.body) || null,
    state: oneOf(STATES, data.state),
    author: toLogin(data.user),
    labels: toLabels(data.labels),
    url: data.html_url,
  }
}

/**
 * Reads the repository's name from the URL of the issue's page, which ends in `/owner/name/issues/1`. If the response
 * has a URL of the repository, it must contain the same name.
 */
function repositoryFullNameOf(pageUrl: string, repositoryUrl: Maybe<string>): string | null {
  const name = segmentsOf(pageUrl).slice(-4, -2).join('/')
  const isConfirmed = typeof repositoryUrl !== 'string' || segmentsOf(repositoryUrl).slice(-2).join('/') === name
  return isConfirmed ? name : null
}

function segmentsOf(url: string): string[] {
  return (URL.parse(url)?.pathname ?? '').toLowerCase().split('/')
}
