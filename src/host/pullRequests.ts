import type { Octokit } from '@octokit/rest'
import { answered, answeredText, type Conditional, conditionally } from './answers.ts'
import { asCaller, type Caller } from './caller.ts'
import { HostAnswerTooLarge, HostUnavailable } from './errors.ts'
import { type Page, pages, toPage } from './pages.ts'
import { type HostPullRequest, type HostSummary, toPullRequest, toSummary } from './pullRequest.ts'
import {
  type HostComment,
  type HostCommit,
  type HostFile,
  toComment,
  toCommit,
  toFile,
  toReview,
} from './pullRequestParts.ts'

/** A pull request by its place. */
export interface PullRequestAt {
  owner: string
  name: string
  number: number
}

/** A page of a repository's list. By its id, which names it whatever it is called by now. */
export interface ListAt {
  hostRepoId: number
  state: 'open' | 'closed' | 'all'
  page: number
}

export interface PullRequestCalls {
  /** With the ETag of what was seen before, the answer may be that it is unchanged, which costs nothing. */
  pullRequest(caller: Caller, at: PullRequestAt, etag: string | null): Promise<Conditional<HostPullRequest> | null>
  pullRequests(caller: Caller, at: ListAt, etag: string | null): Promise<Conditional<Page<HostSummary>> | null>
  /** Its diff as one text; null where the code host will not give it. */
  diff(caller: Caller, at: PullRequestAt): Promise<string | null>
  /** In order, page after page; `expected` lets pages be asked for side by side. */
  files(caller: Caller, at: PullRequestAt, expected: number): AsyncIterable<HostFile[]>
  commits(caller: Caller, at: PullRequestAt, expected: number): AsyncIterable<HostCommit[]>
  comments(caller: Caller, at: PullRequestAt, expected: number): AsyncIterable<HostComment[]>
  reviewComments(caller: Caller, at: PullRequestAt, expected: number): AsyncIterable<HostComment[]>
  reviews(caller: Caller, at: PullRequestAt): AsyncIterable<HostComment[]>
}

const PER_PAGE = 100
const SMALLER_PAGES = 10
/** Too long, by the code host's own rules. What it will not give, its counts show to be missing. */
const WILL_NOT_GIVE = [406, 422]
const NO_PAGE = { items: [], hasMore: false }
/** So many pages hold all of what the code host lists: it stops at 3,000 files and at 250 commits. */
const FILE_PAGES = 30
const COMMIT_PAGES = 3
const COMMENT_PAGES = 50

export function pullRequestCalls({ rest, request }: Octokit): PullRequestCalls {
  const placed = ({ owner, name, number }: PullRequestAt) => ({ owner, repo: name, pull_number: number })
  const discussed = ({ owner, name, number }: PullRequestAt) => ({ owner, repo: name, issue_number: number })
  const paged = (caller: Caller, page: number) => ({ per_page: PER_PAGE, page, ...asCaller(caller) })

  async function listFiles(caller: Caller, at: PullRequestAt, page: number, perPage = PER_PAGE) {
    const asked = { ...placed(at), ...paged(caller, page), per_page: perPage }
    return toPage(await answered(rest.pulls.listFiles(asked)), toFile)
  }

  /** Instead of a page that is too large, the same in smaller ones; instead of one that is refused, none. */
  const asFarAsGiven = (caller: Caller, at: PullRequestAt, page: number) => async (error: unknown) => {
    if (error instanceof HostUnavailable && WILL_NOT_GIVE.includes(error.status ?? 0)) return NO_PAGE
    if (!(error instanceof HostAnswerTooLarge)) throw error
    const items: HostFile[] = []
    let hasMore = true
    for (let part = 0; hasMore && part < SMALLER_PAGES; part++) {
      const smaller = await listFiles(caller, at, (page - 1) * SMALLER_PAGES + part + 1, PER_PAGE / SMALLER_PAGES)
      items.push(...smaller.items)
      hasMore = smaller.hasMore
    }
    return { items, hasMore }
  }

  return {
    pullRequest: (caller, at, etag) =>
      conditionally(rest.pulls.get({ ...placed(at), ...known(asCaller(caller), etag) }), ({ data }) =>
        toPullRequest(data),
      ),
    pullRequests: (caller, { hostRepoId, state, page }, etag) =>
      conditionally(
        request('GET /repositories/{id}/pulls', {
          ...{ id: hostRepoId, state, sort: 'created', direction: 'desc' },
          ...known(paged(caller, page), etag),
        }),
        (answer) => toPage(answer, toSummary),
      ),
    diff: (caller, at) =>
      answeredText(rest.pulls.get({ ...placed(at), ...asCaller(caller), mediaType: { format: 'diff' } })).catch(
        (error) => {
          if (error instanceof HostUnavailable && WILL_NOT_GIVE.includes(error.status ?? 0)) return null
          if (error instanceof HostAnswerTooLarge) return null
          throw error
        },
      ),
    files: (caller, at, expected) =>
      pages(expected, FILE_PAGES, (page) => listFiles(caller, at, page).catch(asFarAsGiven(caller, at, page))),
    commits: (caller, at, expected) =>
      pages(expected, COMMIT_PAGES, async (page) =>
        toPage(await answered(rest.pulls.listCommits({ ...placed(at), ...paged(caller, page) })), toCommit),
      ),
    comments: (caller, at, expected) =>
      pages(expected, COMMENT_PAGES, async (page) =>
        toPage(await answered(rest.issues.listComments({ ...discussed(at), ...paged(caller, page) })), (data) =>
          toComment('comment', data),
        ),
      ),
    reviewComments: (caller, at, expected) =>
      pages(expected, COMMENT_PAGES, async (page) =>
        toPage(await answered(rest.pulls.listReviewComments({ ...placed(at), ...paged(caller, page) })), (data) =>
          toComment('reviewComment', data),
        ),
      ),
    reviews: (caller, at) =>
      pages(undefined, COMMENT_PAGES, async (page) =>
        toPage(await answered(rest.pulls.listReviews({ ...placed(at), ...paged(caller, page) })), toReview),
      ),
  }
}

function known<Options extends { headers: object }>(options: Options, etag: string | null): Options {
  return etag === null ? options : { ...options, headers: { ...options.headers, 'if-none-match': etag } }
}
