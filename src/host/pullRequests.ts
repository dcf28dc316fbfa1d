import type { Octokit } from '@octokit/rest'
import { type HostCredential, requestOptions } from './credential.ts'
import type { AnswerKind, Decode } from './decode.ts'
import { HostAnswerTooLarge, HostUnavailable } from './errors.ts'
import { type HostPage, hasNextPage, paginate } from './paginate.ts'
import type { HostPullRequest, HostSummary } from './pullRequest.ts'
import type { HostComment, HostCommit, HostFile } from './pullRequestParts.ts'
import { answered, type Conditional, conditionally, type HostResponse } from './responses.ts'

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
  /** Its diff as one text in UTF-8; null where the code host will not give it. */
  diff(credential: HostCredential, at: PullRequestAt): Promise<Uint8Array | null>
  /** In order, page after page; `expected` lets paginate be asked for side by side. */
  files(credential: HostCredential, at: PullRequestAt, expected: number): AsyncIterable<HostFile[]>
  commits(credential: HostCredential, at: PullRequestAt, expected: number): AsyncIterable<HostCommit[]>
  comments(credential: HostCredential, at: PullRequestAt, expected: number): AsyncIterable<HostComment[]>
  reviewComments(credential: HostCredential, at: PullRequestAt, expected: number): AsyncIterable<HostComment[]>
  reviews(credential: HostCredential, at: PullRequestAt): AsyncIterable<HostComment[]>
}

const PER_PAGE = 100
const SMALLER_PAGES = 10
/** Too long, by the code host's own rules. What it will not give, its counts show to be missing. */
const WILL_NOT_GIVE = [406, 422]
const NO_PAGE = { items: [], hasMore: false }
/** So many paginate hold all of what the code host lists: it stops at 3,000 files and at 250 commits. */
const FILE_PAGES = 30
const COMMIT_PAGES = 3
const COMMENT_PAGES = 50

export function pullRequestCalls({ rest, request }: Octokit, decode: Decode): PullRequestCalls {
  const placed = ({ owner, name, number }: PullRequestAt) => ({ owner, repo: name, pull_number: number })
  const discussed = ({ owner, name, number }: PullRequestAt) => ({ owner, repo: name, issue_number: number })
  const paged = (credential: HostCredential, page: number) => ({
    per_page: PER_PAGE,
    page,
    ...requestOptions(credential),
  })
  const pageOf = async <Kind extends AnswerKind>(kind: Kind, { bytes, headers }: HostResponse) => ({
    items: await decode(kind, bytes),
    hasMore: hasNextPage(headers),
  })

  async function listFiles(credential: HostCredential, at: PullRequestAt, page: number, perPage = PER_PAGE) {
    const asked = { ...placed(at), ...paged(credential, page), per_page: perPage }
    return pageOf('files', await answered(rest.pulls.listFiles(asked)))
  }

  /** Instead of a page that is too large, the same in smaller ones; instead of one that is refused, none. */
  const asFarAsGiven = (credential: HostCredential, at: PullRequestAt, page: number) => async (error: unknown) => {
    if (error instanceof HostUnavailable && WILL_NOT_GIVE.includes(error.status ?? 0)) return NO_PAGE
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
      conditionally(rest.pulls.get({ ...placed(at), ...known(requestOptions(credential), etag) }), ({ bytes }) =>
        decode('pullRequest', bytes),
      ),
    pullRequests: (credential, { hostRepoId, state, page }, etag) =>
      conditionally(
        request('GET /repositories/{id}/pulls', {
          ...{ id: hostRepoId, state, sort: 'created', direction: 'desc' },
          ...known(paged(credential, page), etag),
        }),
        (answer) => pageOf('summaries', answer),
      ),
    diff: async (credential, at) => {
      const asked = { ...placed(at), ...requestOptions(credential), mediaType: { format: 'diff' } }
      const answer = await answered(rest.pulls.get(asked)).catch((error) => {
        if (error instanceof HostUnavailable && WILL_NOT_GIVE.includes(error.status ?? 0)) return null
        if (error instanceof HostAnswerTooLarge) return null
        throw error
      })
      return answer?.bytes ?? null
    },
    files: (credential, at, expected) =>
      paginate(expected, FILE_PAGES, (page) =>
        listFiles(credential, at, page).catch(asFarAsGiven(credential, at, page)),
      ),
    commits: (credential, at, expected) =>
      paginate(expected, COMMIT_PAGES, async (page) =>
        pageOf('commits', await answered(rest.pulls.listCommits({ ...placed(at), ...paged(credential, page) }))),
      ),
    comments: (credential, at, expected) =>
      paginate(expected, COMMENT_PAGES, async (page) =>
        pageOf('comments', await answered(rest.issues.listComments({ ...discussed(at), ...paged(credential, page) }))),
      ),
    reviewComments: (credential, at, expected) =>
      paginate(expected, COMMENT_PAGES, async (page) =>
        pageOf(
          'reviewComments',
          await answered(rest.pulls.listReviewComments({ ...placed(at), ...paged(credential, page) })),
        ),
      ),
    reviews: (credential, at) =>
      paginate(undefined, COMMENT_PAGES, async (page) =>
        pageOf('reviews', await answered(rest.pulls.listReviews({ ...placed(at), ...paged(credential, page) }))),
      ),
  }
}

function known<Options extends { headers: object }>(options: Options, etag: string | null): Options {
  return etag === null ? options : { ...options, headers: { ...options.headers, 'if-none-match': etag } }
}
