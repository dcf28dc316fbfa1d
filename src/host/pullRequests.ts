import type { Octokit } from '@octokit/rest'
import { asCaller, type Caller } from './caller.ts'
import type { AnswerKind, Decode } from './decode.ts'
import { HostAnswerTooLarge, HostUnavailable } from './errors.ts'
import { hasNextPage, type Page, pages } from './paginate.ts'
import type { HostPullRequest, HostSummary } from './pullRequest.ts'
import type { HostComment, HostCommit, HostFile } from './pullRequestParts.ts'
import { type Answer, answered, type Conditional, conditionally } from './responses.ts'

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
  /** Its diff as one text in UTF-8; null where the code host will not give it. */
  diff(caller: Caller, at: PullRequestAt): Promise<Uint8Array | null>
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

export function pullRequestCalls({ rest, request }: Octokit, decode: Decode): PullRequestCalls {
  const placed = ({ owner, name, number }: PullRequestAt) => ({ owner, repo: name, pull_number: number })
  const discussed = ({ owner, name, number }: PullRequestAt) => ({ owner, repo: name, issue_number: number })
  const paged = (caller: Caller, page: number) => ({ per_page: PER_PAGE, page, ...asCaller(caller) })
  const pageOf = async <Kind extends AnswerKind>(kind: Kind, { bytes, headers }: Answer) => ({
    items: await decode(kind, bytes),
    hasMore: hasNextPage(headers),
  })

  async function listFiles(caller: Caller, at: PullRequestAt, page: number, perPage = PER_PAGE) {
    const asked = { ...placed(at), ...paged(caller, page), per_page: perPage }
    return pageOf('files', await answered(rest.pulls.listFiles(asked)))
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
      conditionally(rest.pulls.get({ ...placed(at), ...known(asCaller(caller), etag) }), ({ bytes }) =>
        decode('pullRequest', bytes),
      ),
    pullRequests: (caller, { hostRepoId, state, page }, etag) =>
      conditionally(
        request('GET /repositories/{id}/pulls', {
          ...{ id: hostRepoId, state, sort: 'created', direction: 'desc' },
          ...known(paged(caller, page), etag),
        }),
        (answer) => pageOf('summaries', answer),
      ),
    diff: async (caller, at) => {
      const asked = { ...placed(at), ...asCaller(caller), mediaType: { format: 'diff' } }
      const answer = await answered(rest.pulls.get(asked)).catch((error) => {
        if (error instanceof HostUnavailable && WILL_NOT_GIVE.includes(error.status ?? 0)) return null
        if (error instanceof HostAnswerTooLarge) return null
        throw error
      })
      return answer?.bytes ?? null
    },
    files: (caller, at, expected) =>
      pages(expected, FILE_PAGES, (page) => listFiles(caller, at, page).catch(asFarAsGiven(caller, at, page))),
    commits: (caller, at, expected) =>
      pages(expected, COMMIT_PAGES, async (page) =>
        pageOf('commits', await answered(rest.pulls.listCommits({ ...placed(at), ...paged(caller, page) }))),
      ),
    comments: (caller, at, expected) =>
      pages(expected, COMMENT_PAGES, async (page) =>
        pageOf('comments', await answered(rest.issues.listComments({ ...discussed(at), ...paged(caller, page) }))),
      ),
    reviewComments: (caller, at, expected) =>
      pages(expected, COMMENT_PAGES, async (page) =>
        pageOf(
          'reviewComments',
          await answered(rest.pulls.listReviewComments({ ...placed(at), ...paged(caller, page) })),
        ),
      ),
    reviews: (caller, at) =>
      pages(undefined, COMMENT_PAGES, async (page) =>
        pageOf('reviews', await answered(rest.pulls.listReviews({ ...placed(at), ...paged(caller, page) }))),
      ),
  }
}

function known<Options extends { headers: object }>(options: Options, etag: string | null): Options {
  return etag === null ? options : { ...options, headers: { ...options.headers, 'if-none-match': etag } }
}
