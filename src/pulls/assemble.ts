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
  /** In UTF-8; null where the code host did not give it. */
  diff: Uint8Array | null
  commits: HostCommit[]
}

/** What a document is made of. A part that is null is taken over from the former document. */
export interface Parts {
  pull: HostPullRequest
  code: FetchedCode | null
  comments: HostComment[] | null
  former: Uint8Array | null
  fetchedAt: string
}

export interface Assembled {
  /** The document as JSON. */
  document: Uint8Array
  facts: DocumentFacts
  /** Whether it is as the former one, but for when it was fetched. */
  isUnchanged: boolean
}

/** Splits the diff, bounds every part and writes the document. Its work grows with what strangers wrote. */
export function assemble({ pull, code, comments, former, fetchedAt }: Parts): Assembled {
  const stored = former && parseDocument(former)
  const document = toDocument(pull, codeOf(pull, code, stored), conversationOf(pull, comments, stored), fetchedAt)
  return {
    document: Buffer.from(JSON.stringify(document)),
    facts: factsOf(document),
    isUnchanged: stored !== null && isSameButForTime(document, stored),
  }
}

function codeOf(pull: HostPullRequest, fetched: FetchedCode | null, former: PullRequestDocument | null): Code {
  if (fetched) {
    const diff = fetched.diff && Buffer.from(fetched.diff).toString()
    return toCode(pull, fetched.files, diff, fetched.commits)
  }
  if (!former) throw new TypeError('Neither code nor a former document to take it from.')
  const { diff, diffTruncated, files, commits, leftOut } = former
  return {
    ...{ diff, diffTruncated, files, commits },
    leftOut: { files: leftOut.files, patches: leftOut.patches, commits: leftOut.commits },
  }
}

function conversationOf(
  pull: HostPullRequest,
  fetched: HostComment[] | null,
  former: PullRequestDocument | null,
): Conversation {
  if (fetched) return toConversation(pull, fetched)
  if (!former) throw new TypeError('Neither comments nor a former document to take them from.')
  return { comments: former.comments, leftOut: { comments: former.leftOut.comments } }
}

function isSameButForTime(document: PullRequestDocument, former: PullRequestDocument): boolean {
  return JSON.stringify({ ...document, fetchedAt: former.fetchedAt }) === JSON.stringify(former)
}
