import type { components } from '../../../generated/api.ts'

export type PullRequest = components['schemas']['PullRequest']
/** A pull request without the name of its repository and what is made of it, which are looked up on each read. */
export type PullRequestDocument = Omit<PullRequest, 'owner' | 'repo' | 'repositoryFullName' | 'url'>

/** A pull request document whose linked issues are not known yet. */
export type UnlinkedDocument = Omit<PullRequestDocument, 'linkedIssues'>

/** A pull request document without its large parts. */
export type DocumentFacts = Omit<PullRequestDocument, 'body' | 'diff' | 'commits' | 'comments' | 'files'>

export function factsOf<Document extends UnlinkedDocument>(document: Document) {
  const { body: _, diff: __, commits: ___, comments: ____, files: _____, ...facts } = document
  return facts
}

export function parseDocument(bytes: Uint8Array): PullRequestDocument {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
}
