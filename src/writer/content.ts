import { createHash } from 'node:crypto'
import type { components } from '../../generated/api.ts'
import type { Citation, Draft, DraftFigure, DraftSide } from './draft.ts'
import type { PullRequestDocument } from './facts/document.ts'

export type ArticleContent = components['schemas']['ArticleContent']
/** An article text as stored. The like count and staleness change without a new text and are added on each read. */
export type StoredContent = Omit<ArticleContent, 'likeCount' | 'liked' | 'stale'>
/** A draft that can be stored: every citation has its URL. */
export type LinkedDraft = Omit<StoredContent, 'summaryGeneratedAt' | 'headSha' | 'coverage' | 'generator'>

type Place = Pick<PullRequestDocument, 'hostPrUrl' | 'headSha'>
type Side = Citation['side']

/** Adds to every citation and figure the URL of its lines on the code host. */
export function withAddresses(draft: Draft, pull: Place): LinkedDraft {
  const linked = <Claim extends { evidence: Citation[] }>(claim: Claim) => ({
    ...claim,
    evidence: claim.evidence.map((citation) => ({ ...citation, url: urlOf(citation, pull) })),
  })
  return {
    ...draft,
    lead: draft.lead && linked(draft.lead),
    impact: draft.impact && linked(draft.impact),
    reasons: draft.reasons.map(linked),
    mainChanges: draft.mainChanges.map((change) => ({
      ...linked(change),
      figures: change.figures.map((figure) => linkedFigure(figure, pull)),
    })),
    notablePoints: draft.notablePoints.map(linked),
    mismatches: draft.mismatches.map(linked),
  }
}

function linkedFigure(figure: DraftFigure, pull: Place) {
  if (figure.kind !== 'code') return figure
  const sideWithUrl = (shown: DraftSide | null, side: Side) => {
    const [range] = shown?.ranges ?? []
    return shown && range ? { ...shown, url: urlOf({ path: shown.path, side, ...range }, pull) } : null
  }
  return { ...figure, before: sideWithUrl(figure.before, 'old'), after: sideWithUrl(figure.after, 'new') }
}

/** The URL of the lines in the "Files changed" tab, as of the head commit. */
function urlOf({ path, side, startLine, endLine }: Citation, { hostPrUrl, headSha }: Place): string {
  const file = `${hostPrUrl}/files/${headSha}#diff-${createHash('sha256').update(path).digest('hex')}`
  if (startLine === null) return file
  const letter = side === 'old' ? 'L' : 'R'
  return endLine === null || endLine === startLine
    ? `${file}${letter}${startLine}`
    : `${file}${letter}${startLine}-${letter}${endLine}`
}

/** A finished article before it is stored. */
export type Composed = Pick<StoredContent, 'coverage'> & {
  article: LinkedDraft
  generator: Omit<StoredContent['generator'], 'kind' | 'promptVersion' | 'milliseconds'>
}
