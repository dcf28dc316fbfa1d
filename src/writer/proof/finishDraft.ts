import { MAX_ITEMS } from '../contractLimits.ts'
import type { Draft, DraftImpact, DraftLead, DraftPoint } from '../draft.ts'
import { COUNTS, lengthsFor } from '../prompts/lengths.ts'
import type { Item } from './checkContext.ts'
import { type CheckedDraft, partsOf } from './checkDraft.ts'

/** A draft with valid items only, and the number of dropped ones. */
export interface Proven {
  draft: Draft
  dropped: number
}

/** Assembles an article from the valid items, within the limits; null without a title, a lead or a section. */
export function finishDraft(checked: CheckedDraft, language: string): Proven | null {
  const [title] = provenOf(checked.aiGeneratedTitle)
  const [lead] = provenOf(checked.lead)
  const mainChanges = provenOf(checked.mainChanges).slice(0, COUNTS.changes)
  if (title === undefined || !lead || mainChanges.length === 0) return null
  const reasons = provenOf(checked.reasons).slice(0, COUNTS.reasons)
  const [impact = null] = provenOf(checked.impact)
  const notablePoints = ranked(provenOf(checked.notablePoints), impact)
  const draft: Draft = {
    aiGeneratedTitle: title,
    lead: shortened(lead, lengthsFor(language).lead),
    impact: impact && consistent(impact, notablePoints),
    reasons,
    backgroundAndPurpose: reasons.map(({ text }) => text).join('\n\n') || null,
    mainChanges,
    diagram: provenOf(checked.diagram)[0] ?? null,
    notablePoints,
    mismatches: provenOf(checked.mismatches).slice(0, MAX_ITEMS.mismatches),
    terms: provenOf(checked.terms).slice(0, COUNTS.terms),
  }
  const dropped = partsOf(checked).flatMap(([, items]) => items.filter(({ proven }) => proven === null)).length
  return { draft, dropped }
}

function provenOf<T>(items: Item<T>[]): T[] {
  return items.map(({ proven }) => proven).filter((proven) => proven !== null)
}

/** The most important points first, numbered from 1. */
function ranked(points: DraftPoint[], impact: DraftImpact | null): DraftPoint[] {
  const max = impact?.compatibility === 'breaking' ? COUNTS.pointsIfBreaking : COUNTS.points
  return points
    .toSorted((a, b) => (a.importance ?? max) - (b.importance ?? max))
    .slice(0, max)
    .map((point, i) => ({ ...point, importance: i + 1 }))
}

/** Corrects the compatibility if points warn users: "No effect on users" must not stand above a warning. */
function consistent(impact: DraftImpact, points: DraftPoint[]): DraftImpact {
  const warns = points.some(({ categories }) => categories.includes('RISK') || categories.includes('SECURITY'))
  return impact.compatibility === 'none' && warns ? { ...impact, compatibility: 'behavior' } : impact
}

/** Drops the last sentences of a lead that is too long. */
function shortened(lead: DraftLead, max: number): DraftLead {
  if (lead.text.length <= max) return lead
  const sentences = lead.text.split(/(?<=[。！？])|(?<=[.!?])\s+/)
  let text = sentences[0] ?? ''
  for (const sentence of sentences.slice(1)) {
    const longer = `${text}${/[。！？]$/.test(text) ? '' : ' '}${sentence}`
    if (longer.length > max) break
    text = longer
  }
  return { ...lead, text }
}
