import { createHash } from 'node:crypto'
import type { components } from '../../generated/api.ts'
import type { HostPullRequest } from '../host/pullRequest.ts'
import type { HostComment, HostCommit } from '../host/pullRequestParts.ts'
import { type KeptFile, type PatchKind, sectionsOf } from './diff.ts'

export type PullRequest = components['schemas']['PullRequest']
/** A pull request without the name of its repository, which is looked up on each read. */
export type PullRequestDocument = Omit<PullRequest, 'owner' | 'repo' | 'repositoryFullName'>

/** The part of a pull request that only changes with its head or base commit. */
export type Code = Pick<PullRequestDocument, 'diff' | 'diffTruncated' | 'files' | 'commits'> & {
  leftOut: Pick<PullRequest['leftOut'], 'files' | 'patches' | 'commits'>
}

export type Conversation = Pick<PullRequestDocument, 'comments'> & { leftOut: Pick<PullRequest['leftOut'], 'comments'> }

const INCOMPLETE: PatchKind[] = ['partial', 'tooLarge', 'leftOut']
const MAX_TEXT_CHARACTERS = 65_536
const MAX_COMMENTS = 5000
export const MAX_COMMENT_CHARACTERS = 5_000_000
const MAX_COMMITS = 250

/** A digest of the pull request resource as the code host returned it. */
export function versionOf(pull: HostPullRequest): string {
  return createHash('sha256').update(JSON.stringify(pull)).digest('base64url')
}

export function toDocument(
  pull: HostPullRequest,
  code: Code,
  conversation: Conversation,
  fetchedAt: string,
): PullRequestDocument {
  const body = pull.body === null ? null : clipped(pull.body)
  return {
    prNumber: pull.number,
    hostPrUrl: pull.url,
    title: pull.title,
    body: body?.text ?? null,
    bodyTruncated: body?.truncated ?? false,
    diff: code.diff,
    diffTruncated: code.diffTruncated,
    authorLogin: pull.author,
    state: pull.state,
    merged: pull.merged,
    draft: pull.draft,
    headSha: pull.headSha,
    baseSha: pull.baseSha,
    additions: pull.additions,
    deletions: pull.deletions,
    changedFiles: pull.changedFiles,
    commitCount: pull.commits,
    commentCount: pull.comments,
    reviewCommentCount: pull.reviewComments,
    hostPrCreatedAt: pull.createdAt,
    hostPrUpdatedAt: pull.updatedAt,
    fetchedAt,
    leftOut: { ...code.leftOut, ...conversation.leftOut },
    commits: code.commits,
    comments: conversation.comments,
    files: code.files,
  }
}

/** A document without the parts whose size depends on untrusted input. */
export type DocumentFacts = Omit<PullRequestDocument, 'body' | 'diff' | 'commits' | 'comments' | 'files'>

export function factsOf(document: PullRequestDocument): DocumentFacts {
  const { body: _, diff: __, commits: ___, comments: ____, files: _____, ...facts } = document
  return facts
}

export function parseDocument(bytes: Uint8Array): PullRequestDocument {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
}

/** The fields that are also stored as columns beside the document. */
export function columnsOf(facts: DocumentFacts, version: string) {
  const { headSha, title, authorLogin, hostPrUrl, hostPrCreatedAt } = facts
  return {
    described: version,
    head_sha: headSha,
    title,
    author_login: authorLogin,
    host_url: hostPrUrl,
    host_created_at: new Date(hostPrCreatedAt),
  }
}

/** Items that the code host counts but does not return are reported in `leftOut`. */
export function toCode(pull: HostPullRequest, files: KeptFile[], hostDiff: string | null, commits: HostCommit[]): Code {
  const sections = sectionsOf(files, hostDiff)
  const missing = sections.filter(({ patch }) => INCOMPLETE.includes(patch)).length
  const filesLeftOut = Math.max(0, pull.changedFiles - files.length)
  return {
    diff: sections.map(({ text }) => text).join(''),
    diffTruncated: missing > 0 || filesLeftOut > 0,
    files: files.map(({ path, previousPath, status, additions, deletions }, i) => ({
      ...{ path, previousPath, status, additions, deletions },
      patch: sections[i]?.patch ?? 'leftOut',
    })),
    commits: commits.slice(0, MAX_COMMITS).map(({ sha, message, author, authoredAt }) => {
      const { text, truncated } = clipped(message)
      return { sha, message: text, truncated, author, authoredAt }
    }),
    leftOut: {
      files: filesLeftOut,
      patches: missing,
      commits: Math.max(0, pull.commits - Math.min(commits.length, MAX_COMMITS)),
    },
  }
}

export function toConversation(pull: HostPullRequest, all: HostComment[]): Conversation {
  const counted = pull.comments + pull.reviewComments + all.filter(({ kind }) => kind === 'review').length
  let characters = 0
  const comments = all
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0))
    .slice(0, MAX_COMMENTS)
    .map(({ body, ...comment }) => {
      const { text, truncated } = clipped(body)
      return { ...comment, body: text, truncated }
    })
    .filter(({ body }) => {
      characters += body.length
      return characters <= MAX_COMMENT_CHARACTERS
    })
  return { comments, leftOut: { comments: Math.max(0, Math.max(counted, all.length) - comments.length) } }
}

/** Never cuts inside a surrogate pair. */
function clipped(text: string): { text: string; truncated: boolean } {
  if (text.length <= MAX_TEXT_CHARACTERS) return { text, truncated: false }
  const cut = text.slice(0, MAX_TEXT_CHARACTERS)
  return { text: cut.isWellFormed() ? cut : cut.slice(0, -1), truncated: true }
}

/** Whether files and commits are unchanged and need not be fetched again. */
export function hasSameCode(document: DocumentFacts, pull: HostPullRequest): boolean {
  return (
    document.headSha === pull.headSha &&
    (document.baseSha === pull.baseSha || document.hostPrUpdatedAt === pull.updatedAt) &&
    document.changedFiles === pull.changedFiles &&
    document.additions === pull.additions &&
    document.deletions === pull.deletions &&
    document.commitCount === pull.commits
  )
}

export function hasSameConversation(document: DocumentFacts, pull: HostPullRequest): boolean {
  return (
    document.hostPrUpdatedAt === pull.updatedAt &&
    document.commentCount === pull.comments &&
    document.reviewCommentCount === pull.reviewComments
  )
}
