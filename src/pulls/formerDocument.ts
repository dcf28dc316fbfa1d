import type { PullRequestDocument } from './documentType.ts'

type File = PullRequestDocument['files'][number]
type Comment = PullRequestDocument['comments'][number]
type NewFields =
  | 'mergedAt'
  | 'authorIsBot'
  | 'labels'
  | 'milestone'
  | 'baseBranch'
  | 'repositoryDescription'
  | 'linkedIssues'
type OptionalFields<T, Names extends keyof T> = Omit<T, Names> & Partial<Pick<T, Names>>

/** A document that may have been stored before labels and linked issues existed. */
export type FormerDocument = Omit<OptionalFields<PullRequestDocument, NewFields>, 'files' | 'comments'> & {
  files: OptionalFields<File, 'blobSha' | 'generated'>[]
  comments: OptionalFields<Comment, 'url'>[]
}

export function hasNewFields(document: PullRequestDocument | FormerDocument): document is PullRequestDocument {
  return document.linkedIssues !== undefined
}

/** Adds the fields that a former document lacks: null, false or empty. */
export function withDocumentFields(document: FormerDocument): PullRequestDocument {
  return {
    mergedAt: null,
    authorIsBot: false,
    labels: [],
    milestone: null,
    baseBranch: null,
    repositoryDescription: null,
    linkedIssues: [],
    ...document,
    files: document.files.map((file) => ({ blobSha: null, generated: false, ...file })),
    comments: document.comments.map((comment) => ({ url: null, ...comment })),
  }
}
