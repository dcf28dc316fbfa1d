import { HostUnavailable } from './errors.ts'
import { requireValid } from './fields.ts'
import { toIssue } from './issue.ts'
import { toMembership } from './organizations.ts'
import { toClosedPull, toPullRequest, toSummary } from './pullRequest.ts'
import { type HostComment, toComment, toCommit, toFile, toReview } from './pullRequestParts.ts'
import { toRepository, toSearch } from './repository.ts'
import { toUser } from './user.ts'

/** The decoder for each kind of response. */
const kinds = {
  user: toUser,
  membership: toMembership,
  repository: toRepository,
  search: toSearch,
  pullRequest: toPullRequest,
  summaries: listOf(toSummary),
  closedPulls: listOf(toClosedPull),
  files: listOf(toFile),
  commits: listOf(toCommit),
  comments: listOf(toCommentOf('comment')),
  reviewComments: listOf(toCommentOf('reviewComment')),
  reviews: listOf(toReview),
  issue: toIssue,
}

export type AnswerKind = keyof typeof kinds
type Decoded<Kind extends AnswerKind> = ReturnType<(typeof kinds)[Kind]>
export type Decode = <Kind extends AnswerKind>(kind: Kind, bytes: Uint8Array) => Promise<Decoded<Kind>>

export interface Encoded {
  kind: AnswerKind
  bytes: Uint8Array
}

/** Larger responses, up to 32 MB, are parsed in a thread, because they would block the event loop. */
const MAX_BYTES_INLINE = 1_000_000

/**
 * Returns undefined for an invalid response instead of throwing, because errors lose their class on the way between
 * threads.
 */
export function decodeAnswer({ kind, bytes }: Encoded): { value: unknown } | undefined {
  try {
    const data = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
    requireValid(isObject(data))
    return { value: kinds[kind](data) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof HostUnavailable) return undefined
    throw error
  }
}

export function decodingWith(decodeLarge: (encoded: Encoded) => Promise<{ value: unknown } | undefined>): Decode {
  return async <Kind extends AnswerKind>(kind: Kind, bytes: Uint8Array) => {
    const encoded = { kind, bytes }
    const decoded = bytes.length <= MAX_BYTES_INLINE ? decodeAnswer(encoded) : await decodeLarge(encoded)
    if (!decoded) throw new HostUnavailable('The response of the code host is not valid.', 200)
    return decoded.value as Decoded<Kind>
  }
}

/** Skips items that decode to `undefined`, such as a review that its author has not submitted yet. */
function listOf<Data, T>(decodeItem: (item: Data) => T | undefined): (data: Data[]) => T[] {
  return (data) => {
    requireValid(Array.isArray(data) && data.every(isObject))
    return data.map(decodeItem).filter((item) => item !== undefined)
  }
}

function toCommentOf(kind: HostComment['kind']) {
  return (data: Parameters<typeof toComment>[1]) => toComment(kind, data)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
