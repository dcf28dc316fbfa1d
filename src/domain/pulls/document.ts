import { createHash } from 'node:crypto'
import { formattedVersion } from '../../db/pulls/documentFormat.ts'
import type { HostPullRequest } from '../../host/pullRequest.ts'
import type { HostComment, HostCommit } from '../../host/pullRequestParts.ts'
import { clip } from '../../lib/clip.ts'
import type { DocumentFacts, PullRequest, PullRequestDocument, UnlinkedDocument } from '../../writer/facts/document.ts'
import { type KeptFile, type PatchKind, sectionsOf } from './diff.ts'
import { generatedPaths } from './generatedPaths.ts'

/** The part of a pull request that only changes with its head or base commit. */
export type Code = Pick<PullRequestDocument, 'diff' | 'diffTruncated' | 'files' | 'commits'> & {
  leftOut: Pick<PullRequest['leftOut'], 'files' | 'patches' | 'commits'>
}

export type StoredConversation = Pick<PullRequestDocument, 'comments'> & {
  leftOut: Pick<PullRequest['leftOut'], 'comments'>
}

const INCOMPLETE: PatchKind[] = ['partial', 'tooLarge', 'leftOut']
const MAX_TEXT_CHARACTERS = 65_536
const MAX_COMMENTS = 5000
export const MAX_COMMENT_CHARACTERS = 5_000_000
const MAX_COMMITS = 250

/** The version of a resource: the stored format, and a digest of the resource as the code host returned it. */
export function versionOf(resource: object): string {
  return formattedVersion(createHash('sha256').update(JSON.stringify(resource)).digest('base64url'))
}

/** Builds a document without its linked issues, which are known only after the texts that mention them were read. */
export function toDocument(
  pull: HostPullRequest,
  code: Code,
  conversation: StoredConversation,
  fetchedAt: string,
): UnlinkedDocument {
  const body = pull.body === null ? null : clip(pull.body, MAX_TEXT_CHARACTERS)
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
    mergedAt: pull.mergedAt,
    authorIsBot: pull.authorIsBot,
    labels: pull.labels,
    milestone: pull.milestone,
    baseBranch: pull.baseBranch,
    repositoryDescription: pull.repositoryDescription,
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

/**
 * Builds the code part of a document. Items that the code host counts but does not return are reported in `leftOut`.
 */
export function toCode(
  pull: HostPullRequest,
  files: KeptFile[],
  hostDiff: string | null,
  commits: HostCommit[],
  attributes: string,
): Code {
  const isGenerated = generatedPaths(attributes)
  const sections = sectionsOf(files, hostDiff)
  const missing = sections.filter(({ patch }) => INCOMPLETE.includes(patch)).length
  const filesLeftOut = Math.max(0, pull.changedFiles - files.length)
  return {
    diff: sections.map(({ text }) => text).join(''),
    diffTruncated: missing > 0 || filesLeftOut > 0,
    files: files.map(({ path, previousPath, status, additions, deletions, blobSha }, i) => ({
      ...{ path, previousPath, status, additions, deletions, blobSha },
      patch: sections[i]?.patch ?? 'leftOut',
      generated: isGenerated(path),
    })),
    commits: commits.slice(0, MAX_COMMITS).map(({ sha, message, author, authoredAt }) => {
      const { text, truncated } = clip(message, MAX_TEXT_CHARACTERS)
      return { sha, message: text, truncated, author, authoredAt }
    }),
    leftOut: {
      files: filesLeftOut,
      patches: missing,
      commits: Math.max(0, pull.commits - Math.min(commits.length, MAX_COMMITS)),
    },
  }
}

export function toConversation(pull: HostPullRequest, all: HostComment[]): StoredConversation {
  const counted = pull.comments + pull.reviewComments + all.filter(({ kind }) => kind === 'review').length
  let characters = 0
  const comments = all
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0))
    .slice(0, MAX_COMMENTS)
    .map(({ body, ...comment }) => {
      const { text, truncated } = clip(body, MAX_TEXT_CHARACTERS)
      return { ...comment, body: text, truncated }
    })
    .filter(({ body }) => {
      characters += body.length
      return characters <= MAX_COMMENT_CHARACTERS
    })
  return { comments, leftOut: { comments: Math.max(0, Math.max(counted, all.length) - comments.length) } }
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
