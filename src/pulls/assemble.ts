import type { HostPullRequest } from '../host/pullRequest.ts'
import type { HostComment, HostCommit } from '../host/pullRequestParts.ts'
import type { KeptFile } from './diff.ts'
import {
  type Code,
  type Conversation,
  type DocumentFacts,
  factsOf,
  type PullRequestDocument,
  parseDocument,
  toCode,
  toConversation,
  toDocument,
} from './document.ts'

export interface FetchedCode {
  files: KeptFile[]
  /** UTF-8; null if the code host did not provide it. */
  diff: Uint8Array | null
  commits: HostCommit[]
}

/** The input of a document. Parts that are null are copied from the previous document. */
export interface Parts {
  pull: HostPullRequest
  code: FetchedCode | null
  comments: HostComment[] | null
  previous: Uint8Array | null
  fetchedAt: string
}

export interface Assembled {
  /** The document as JSON. */
  document: Uint8Array
  facts: DocumentFacts
  /** Whether it equals the previous document except for `fetchedAt`. */
  isUnchanged: boolean
}

/** Splits the diff, bounds every part and builds the document. The work grows with untrusted input. */
export function assemble({ pull, code, comments, previous, fetchedAt }: Parts): Assembled {
  const stored = previous && parseDocument(previous)
  const document = toDocument(pull, codeOf(pull, code, stored), conversationOf(pull, comments, stored), fetchedAt)
  return {
    document: Buffer.from(JSON.stringify(document)),
    facts: factsOf(document),
    isUnchanged: stored !== null && isSameExceptTime(document, stored),
  }
}

function codeOf(pull: HostPullRequest, fetched: FetchedCode | null, previous: PullRequestDocument | null): Code {
  if (fetched) {
    const diff = fetched.diff && Buffer.from(fetched.diff).toString()
    return toCode(pull, fetched.files, diff, fetched.commits)
  }
  if (!previous) throw new TypeError('Neither fetched code nor a previous document was given.')
  const { diff, diffTruncated, files, commits, leftOut } = previous
  return {
    ...{ diff, diffTruncated, files, commits },
    leftOut: { files: leftOut.files, patches: leftOut.patches, commits: leftOut.commits },
  }
}

function conversationOf(
  pull: HostPullRequest,
  fetched: HostComment[] | null,
  previous: PullRequestDocument | null,
): Conversation {
  if (fetched) return toConversation(pull, fetched)
  if (!previous) throw new TypeError('Neither fetched comments nor a previous document was given.')
  return { comments: previous.comments, leftOut: { comments: previous.leftOut.comments } }
}

function isSameExceptTime(document: PullRequestDocument, previous: PullRequestDocument): boolean {
  return JSON.stringify({ ...document, fetchedAt: previous.fetchedAt }) === JSON.stringify(previous)
}
