import { createHash } from 'node:crypto'
import type { components } from '../../generated/api.ts'
import type { PullRequestDocument } from '../pulls/document.ts'
import type { Citation, Draft } from './draft.ts'

export type ArticleContent = components['schemas']['ArticleContent']
/** A text as it is stored: what changes without a new text is added when it is read. */
export type StoredContent = Omit<ArticleContent, 'likeCount' | 'stale'>

/** A draft with every citation tied to its lines on the code host. */
export function withAddresses(draft: Draft, pull: Pick<PullRequestDocument, 'hostPrUrl' | 'headSha'>) {
  const tied = <Claim extends { evidence: Citation[] }>(claim: Claim) => ({
    ...claim,
    evidence: claim.evidence.map((citation) => ({ ...citation, url: addressOf(citation, pull) })),
  })
  return { ...draft, mainChanges: draft.mainChanges.map(tied), notablePoints: draft.notablePoints.map(tied) }
}

/** A draft that can be stored: what it says, and the addresses of what proves it. */
export type TiedDraft = ReturnType<typeof withAddresses>

/** The lines in the pull request's list of changes, as of its head commit. */
function addressOf(
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

/** A written article, before it is stored. */
export type Composed = Pick<StoredContent, 'coverage'> & {
  article: TiedDraft
  generator: Omit<StoredContent['generator'], 'kind' | 'promptVersion' | 'milliseconds'>
}
