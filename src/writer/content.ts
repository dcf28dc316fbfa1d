import { createHash } from 'node:crypto'
import type { components } from '../../generated/api.ts'
import type { PullRequestDocument } from '../pulls/document.ts'
import type { Citation, Draft } from './draft.ts'
import { withNewFields } from './formerContent.ts'

export type ArticleContent = components['schemas']['ArticleContent']
/** An article text as stored. The like count and staleness change without a new text and are added on each read. */
export type StoredContent = Omit<ArticleContent, 'likeCount' | 'stale'>

/** Adds to every citation the URL of its lines on the code host. */
export function withAddresses(draft: Draft, pull: Pick<PullRequestDocument, 'hostPrUrl' | 'headSha'>): TiedDraft {
  const linked = <Claim extends { evidence: Citation[] }>(claim: Claim) => ({
    ...claim,
    evidence: claim.evidence.map((citation) => ({ ...citation, url: urlOf(citation, pull) })),
  })
  const [mainChanges, notablePoints] = [draft.mainChanges.map(linked), draft.notablePoints.map(linked)]
  return withNewFields({ ...draft, mainChanges, notablePoints })
}

/** A draft that can be stored: every citation has its URL. */
export type TiedDraft = Omit<StoredContent, 'summaryGeneratedAt' | 'headSha' | 'coverage' | 'generator'>

/** The URL of the lines in the "Files changed" tab, as of the head commit. */
function urlOf(
  { path, side, startLine, endLine }: Citation,
  { hostPrUrl, headSha }: Pick<PullRequestDocument, 'hostPrUrl' | 'headSha'>,
): string {
  const file = `${hostPrUrl}/files/${headSha}#diff-${createHash('sha256').update(path).digest('hex')}`
  if (startLine === null) return file
  const letter = side === 'old' ? 'L' : 'R'
  return endLine === null || endLine === startLine
    ? `${file}${letter}${startLine}`
    : `${file}${letter}${startLine}-${letter}${endLine}`
}

/** A finished article before it is stored. */
export type Composed = Pick<StoredContent, 'coverage'> & {
  article: TiedDraft
  generator: Omit<StoredContent['generator'], 'kind' | 'promptVersion' | 'milliseconds'>
}
