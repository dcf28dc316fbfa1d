import type { HostPullRequest } from '../../host/pullRequest.ts'
import type { HostComment, HostCommit } from '../../host/pullRequestParts.ts'
import type { PullRequestDocument } from '../../writer/facts/document.ts'
import { type DocumentFacts, factsOf, parseDocument, type UnlinkedDocument } from '../../writer/facts/document.ts'
import type { KeptFile } from './diff.ts'
import { type Code, type StoredConversation, toCode, toConversation, toDocument } from './document.ts'
import type { LinkedIssue } from './linkedIssues.ts'
import { type Reference, referencesOf } from './references.ts'

export interface FetchedCode {
  files: KeptFile[]
  /** The diff in UTF-8; null if the code host did not provide it. */
  diff: Uint8Array | null
  commits: HostCommit[]
  /** The repository's `.gitattributes` in UTF-8; null if there is none. */
  attributes: Uint8Array | null
}

/** The input for assembling a document. Parts that are null are copied from the previous document. */
export interface Parts {
  pull: HostPullRequest
  code: FetchedCode | null
  comments: HostComment[] | null
  previous: Uint8Array | null
  fetchedAt: string
}

/** A document as JSON, and its facts. */
export interface AssembledDocument {
  document: Uint8Array
  facts: DocumentFacts
}

/** A document without its linked issues, and the references to them. */
export interface Assembled {
  unlinked: Uint8Array
  facts: Omit<DocumentFacts, 'linkedIssues'>
  references: Reference[]
  /** Whether the document equals the previous one except for `fetchedAt` and the linked issues. */
  isUnchanged: boolean
}

/**
 * Splits the diff, bounds every part, builds the document and finds references. The time it takes grows with untrusted
 * input.
 */
export function assemble({ pull, code, comments, previous, fetchedAt }: Parts): Assembled {
  const stored = previous && parseDocument(previous)
  const document = toDocument(pull, codeOf(pull, code, stored), conversationOf(pull, comments, stored), fetchedAt)
  const { owner, name } = pull.repository
  return {
    unlinked: Buffer.from(JSON.stringify(document)),
    facts: factsOf(document),
    references: referencesOf(document, { number: pull.number, url: pull.url, fullName: `${owner}/${name}` }),
    isUnchanged: stored !== null && isSameExceptTime(document, stored),
  }
}

/** Appends the linked issues to the JSON, which may be too large to be parsed here. */
export function withIssues({ unlinked, facts }: Assembled, linkedIssues: LinkedIssue[]): AssembledDocument {
  const end = Buffer.from(`,"linkedIssues":${JSON.stringify(linkedIssues)}}`)
  return { document: Buffer.concat([unlinked.subarray(0, -1), end]), facts: { ...facts, linkedIssues } }
}

function codeOf(pull: HostPullRequest, fetched: FetchedCode | null, previous: PullRequestDocument | null): Code {
  if (fetched) {
    const diff = fetched.diff && Buffer.from(fetched.diff).toString()
    const attributes = fetched.attributes ? Buffer.from(fetched.attributes).toString() : ''
    return toCode(pull, fetched.files, diff, fetched.commits, attributes)
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
): StoredConversation {
  if (fetched) return toConversation(pull, fetched)
  if (!previous) throw new TypeError('Neither fetched comments nor a previous document was given.')
  return { comments: previous.comments, leftOut: { comments: previous.leftOut.comments } }
}

function isSameExceptTime(document: UnlinkedDocument, { linkedIssues: _, ...previous }: PullRequestDocument): boolean {
  return JSON.stringify({ ...document, fetchedAt: previous.fetchedAt }) === JSON.stringify(previous)
}
