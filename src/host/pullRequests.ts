import type { Octokit } from '@octokit/rest'
import { type HostCredential, requestOptions } from './credential.ts'
import type { AnswerKind, Decode } from './decode.ts'
import { HostAnswerTooLarge, HostUnavailable } from './errors.ts'
import { type HostPage, hasNextPage, paginate } from './paginate.ts'
import type { HostClosedPull, HostPullRequest, HostSummary } from './pullRequest.ts'
import type { HostComment, HostCommit, HostFile } from './pullRequestParts.ts'
import {
  ABSENT_OR_FORBIDDEN,
  type Conditional,
  type HostResponse,
  toConditional,
  toResponse,
  toResponseOrNull,
  withEtag,
} from './responses.ts'

export interface PullRequestAt {
  owner: string
  name: string
  number: number
}

/** A file at a commit. */
export interface FileAt {
  owner: string
  name: string
  path: string
  ref: string
}

/** Identifies a page of a repository's list. Uses the repository's id, because a rename does not change it. */
export interface ListAt {
  hostRepoId: number
  state: 'open' | 'closed' | 'all'
  page: number
}

export interface PullRequestCalls {
  /**
   * If the request has the ETag of an earlier response, the result may be `unchanged`. Such a response does not count
   * against the rate limit.
   */
  pullRequest(
    credential: HostCredential,
    at: PullRequestAt,
    etag: string | null,
  ): Promise<Conditional<HostPullRequest> | null>
  pullRequests(
    credential: HostCredential,
    at: ListAt,
    etag: string | null,
  ): Promise<Conditional<HostPage<HostSummary>> | null>
  /** A page of the closed pull requests, most recently updated first. */
  closedPullRequests(
    credential: HostCredential,
    at: Pick<ListAt, 'hostRepoId' | 'page'>,
    etag: string | null,
  ): Promise<Conditional<HostPage<HostClosedPull>> | null>
  /** The whole diff in UTF-8; null if the code host refuses it. */
  diff(credential: HostCredential, at: PullRequestAt): Promise<Uint8Array | null>
  /** A file at a commit; null if there is none. */
  file(credential: HostCredential, at: FileAt): Promise<Uint8Array | null>
  /** Yields the files page by page in order; `expected`, the number of files, allows fetching pages concurrently. */
  files(credential: HostCredential, at: PullRequestAt, expected: number): AsyncIterable<HostFile[]>
  commits(credential: HostCredential, at: PullRequestAt, expected: number): AsyncIterable<HostCommit[]>
  comments(credential: HostCredential, at: PullRequestAt, expected: number): AsyncIterable<HostComment[]>
  reviewComments(credential: HostCredential, at: PullRequestAt, expected: number): AsyncIterable<HostComment[]>
  reviews(credential: HostCredential, at: PullRequestAt): AsyncIterable<HostComment[]>
}

const PER_PAGE = 100
const SMALLER_PAGES = 10
/**
 * The statuses with which the code host refuses a diff or a page that is too large by its own rules. The counts of the
 * pull request then show what is missing.
 */
const TOO_LARGE_STATUSES = [406, 422]
/** The status for the comments of a repository that has switched its issues off. */
const GONE_STATUS = 410
const EMPTY_PAGE = { items: [], hasMore: false }
/** Enough pages for everything that the code host lists: at most 3,000 files and 250 commits. */
const FILE_PAGES = 30
const COMMIT_PAGES = 3
const COMMENT_PAGES = 50

export function pullRequestCalls({ rest, request }: Octokit, decode: Decode): PullRequestCalls {
  const pullParameters = ({ owner, name, number }: PullRequestAt) => ({ owner, repo: name, pull_number: number })
  const issueParameters = ({ owner, name, number }: PullRequestAt) => ({ owner, repo: name, issue_number: number })
  const pageOptions = (credential: HostCredential, page: number) => ({
    per_page: PER_PAGE,
    page,
    ...requestOptions(credential),
  })
  const pageOf = async <Kind extends AnswerKind>(kind: Kind, { bytes, headers }: HostResponse) => ({
    items: await decode(kind, bytes),
    hasMore: hasNextPage(headers),
  })

  async function commentsOf(kind: 'comments' | 'reviewComments' | 'reviews', call: Parameters<typeof toResponse>[0]) {
    const response = await toResponseOrNull(call, [GONE_STATUS])
    return response ? pageOf(kind, response) : EMPTY_PAGE
  }

  async function listFiles(credential: HostCredential, at: PullRequestAt, page: number, perPage = PER_PAGE) {
    const parameters = { ...pullParameters(at), ...pageOptions(credential, page), per_page: perPage }
    return pageOf('files', await toResponse(rest.pulls.listFiles(parameters)))
  }

  /** Fetches a page that is too large in smaller pages; a refused page counts as empty. */
  const recoverPage = (credential: HostCredential, at: PullRequestAt, page: number) => async (error: unknown) => {
    if (error instanceof HostUnavailable && TOO_LARGE_STATUSES.includes(error.status ?? 0)) return EMPTY_PAGE
    if (!(error instanceof HostAnswerTooLarge)) throw error
    const items: HostFile[] = []
    let hasMore = true
    for (let part = 0; hasMore && part < SMALLER_PAGES; part++) {
      const smaller = await listFiles(credential, at, (page - 1) * SMALLER_PAGES + part + 1, PER_PAGE / SMALLER_PAGES)
      items.push(...smaller.items)
      hasMore = smaller.hasMore
    }
    return { items, hasMore }
  }

  return {
    pullRequest: (credential, at, etag) =>
      toConditional(
        rest.pulls.get({ ...pullParameters(at), ...withEtag(requestOptions(credential), etag) }),
        ({ bytes }) => decode('pullRequest', bytes),
      ),
    pullRequests: (credential, { hostRepoId, state, page }, etag) =>
      toConditional(
        request('GET /repositories/{id}/pulls', {
          ...{ id: hostRepoId, state, sort: 'created', direction: 'desc' },
          ...withEtag(pageOptions(credential, page), etag),
        }),
        (response) => pageOf('summaries', response),
      ),
    closedPullRequests: (credential, { hostRepoId, page }, etag) =>
      toConditional(
        request('GET /repositories/{id}/pulls', {
          ...{ id: hostRepoId, state: 'closed', sort: 'updated', direction: 'desc' },
          ...withEtag(pageOptions(credential, page), etag),
        }),
        (response) => pageOf('closedPulls', response),
      ),
    diff: async (credential, at) => {
      const parameters = { ...pullParameters(at), ...requestOptions(credential), mediaType: { format: 'diff' } }
      const response = await toResponse(rest.pulls.get(parameters)).catch((error) => {
        if (error instanceof HostUnavailable && TOO_LARGE_STATUSES.includes(error.status ?? 0)) return null
        if (error instanceof HostAnswerTooLarge) return null
        throw error
      })
      return response?.bytes ?? null
    },
    file: async (credential, { owner, name, path, ref }) => {
      const parameters = { owner, repo: name, path, ref, ...requestOptions(credential), mediaType: { format: 'raw' } }
      return (await toResponseOrNull(rest.repos.getContent(parameters), ABSENT_OR_FORBIDDEN))?.bytes ?? null
    },
    files: (credential, at, expected) =>
      paginate(expected, FILE_PAGES, (page) =>
        listFiles(credential, at, page).catch(recoverPage(credential, at, page)),
      ),
    commits: (credential, at, expected) =>
      paginate(expected, COMMIT_PAGES, async (page) =>
        pageOf(
          'commits',
          await toResponse(rest.pulls.listCommits({ ...pullParameters(at), ...pageOptions(credential, page) })),
        ),
      ),
    comments: (credential, at, expected) =>
      paginate(expected, COMMENT_PAGES, (page) =>
        commentsOf('comments', rest.issues.listComments({ ...issueParameters(at), ...pageOptions(credential, page) })),
      ),
    reviewComments: (credential, at, expected) =>
      paginate(expected, COMMENT_PAGES, (page) =>
        commentsOf(
          'reviewComments',
          rest.pulls.listReviewComments({ ...pullParameters(at), ...pageOptions(credential, page) }),
        ),
      ),
    reviews: (credential, at) =>
      paginate(undefined, COMMENT_PAGES, (page) =>
        commentsOf('reviews', rest.pulls.listReviews({ ...pullParameters(at), ...pageOptions(credential, page) })),
      ),
  }
}
