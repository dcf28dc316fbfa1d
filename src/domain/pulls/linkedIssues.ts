import type { components } from '../../../generated/api.ts'
import type { CodeHost } from '../../host/codeHost.ts'
import { HostUnavailable } from '../../host/errors.ts'
import type { HostIssue } from '../../host/issue.ts'
import type { HostPullRequest } from '../../host/pullRequest.ts'
import { abortable } from '../../lib/abortable.ts'
import { clip } from '../../lib/clip.ts'
import type { Reference } from './references.ts'

export type LinkedIssue = components['schemas']['LinkedIssue']

/** An issue, and the ETag under which the token saw it. */
export interface KnownIssue {
  issue: LinkedIssue
  etag: string | null
}

interface FetchedIssues {
  issues: KnownIssue[]
  /** Whether the code host failed to return an issue, so that a later fetch may add or update it. */
  isIncomplete: boolean
}

/** A slow issue must not use up the time for the pull request itself. */
const ISSUES_TIMEOUT_MS = 3000
const MAX_BODY_CHARACTERS = 20_000
const UNCHANGED = { unchanged: true } as const

/**
 * Fetches the issues that a pull request names, in the same order. Omits issues that the token may not see or that were
 * moved to another repository. If the code host fails to return an issue, returns its known state, if there is one.
 */
export async function fetchIssues(
  host: CodeHost,
  { token, signal }: { token: string | undefined; signal: AbortSignal },
  pull: HostPullRequest,
  references: Reference[],
  known: KnownIssue[],
): Promise<FetchedIssues> {
  const { owner, name } = pull.repository
  let isIncomplete = false
  const fetched = await abortable({ milliseconds: ISSUES_TIMEOUT_MS, signals: [signal] }, (limit) =>
    Promise.all(
      references.map(async ({ number, closes }) => {
        const before = known.find(({ issue }) => issue.number === number)
        const call = host.issue({ token, signal: limit }, { owner, name, number }, before?.etag ?? null)
        const answer = await call.catch((error) => {
          if (!(error instanceof HostUnavailable)) throw error
          if ((error.status ?? 500) < 500) return null
          isIncomplete = true
          return UNCHANGED
        })
        if (answer?.unchanged) return before && { ...before, issue: { ...before.issue, closes } }
        return answer ? { issue: toLinkedIssue(answer.value, closes), etag: answer.etag } : undefined
      }),
    ),
  )
  return { issues: fetched.filter((issue) => issue !== undefined), isIncomplete }
}

function toLinkedIssue({ number, title, body, state, author, labels, url }: HostIssue, closes: boolean): LinkedIssue {
  const { text, truncated } = clip(body ?? '', MAX_BODY_CHARACTERS)
  return {
    ...{ number, title, body: text || null, bodyTruncated: truncated },
    ...{ state, authorLogin: author, labels, closes, url },
  }
}
