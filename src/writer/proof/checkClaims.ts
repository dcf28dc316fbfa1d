import { MAX_CHARACTERS, MAX_ITEMS, type TextField } from '../contractLimits.ts'
import type { Citation, DraftChange, DraftImpact, DraftLead, DraftMismatch, DraftPoint, DraftReason } from '../draft.ts'
import {
  ANSWERED_BEHAVIOR,
  type AnsweredChange,
  type AnsweredImpact,
  type AnsweredReason,
} from '../prompts/answerTypes.ts'
import { COUNTS } from '../prompts/lengths.ts'
import type { CheckContext, Item } from './checkContext.ts'
import { checkFigure } from './checkFigures.ts'
import { cleanProse, cleanText } from './checkMarkdown.ts'
import { formErrors, textErrors } from './checkText.ts'
import { type Citable, provenCitation } from './citable.ts'
import { provenSource } from './quotes.ts'

export async function checkLead(lead: DraftLead, context: CheckContext): Promise<Item<DraftLead>> {
  const text = cleanProse(lead.text, context.hostPrUrl)
  const { evidence, errors } = judgeEvidence(lead.evidence, context.citable)
  if (evidence.length === 0) errors.push('it cites no line')
  errors.push(...lengthErrors(text, 'lead'), ...(await textErrors(text, context)))
  return itemOf({ ...lead, text, evidence }, errors)
}

export async function checkImpact(impact: AnsweredImpact, context: CheckContext): Promise<Item<DraftImpact>> {
  const clean = (text: string) => cleanProse(text, context.hostPrUrl)
  const { evidence, errors } = judgeEvidence(impact.evidence, context.citable)
  const checked: DraftImpact = {
    ...impact,
    compatibility: impact.compatibility === ANSWERED_BEHAVIOR ? 'behavior' : impact.compatibility,
    affected: clean(impact.affected),
    reason: clean(impact.reason),
    action: impact.action === null ? null : clean(impact.action) || null,
    since: provenSince(impact.since, context),
    evidence,
  }
  const { affected, reason, action } = checked
  errors.push(...lengthErrors(affected, 'affected'), ...lengthErrors(reason, 'impactReason'))
  if (action !== null) errors.push(...lengthErrors(action, 'action'))
  errors.push(...(await textErrors([affected, reason, action ?? ''].join('\n\n'), context)))
  return itemOf(checked, errors)
}

/** The milestone, or else the release in the answer; null if nothing that the model was shown names the release. */
function provenSince(since: string | null, context: CheckContext): string | null {
  const { milestone, lines, passages } = context
  if (milestone !== null) return milestone
  const wanted = cleanText(since ?? '')
  // Check the length before the pattern for versions, which takes quadratic time on digits.
  if (wanted.length > MAX_CHARACTERS.since || formErrors(wanted, context).length > 0) return null
  const version = /\d+(?:\.\d+)+/.exec(wanted)?.[0]
  if (!version) return null
  const isNamed =
    passages.some(({ text }) => text.includes(version)) ||
    lines.values().some((ofFile) => ofFile.some(({ sign, text }) => sign !== '-' && text.includes(version)))
  return isNamed ? wanted : null
}

/** Checks a reason. One that the author stated needs a quote; one that follows from the diff needs cited lines. */
export async function checkReason(reason: AnsweredReason, context: CheckContext): Promise<Item<DraftReason>> {
  const text = cleanProse(reason.text, context.hostPrUrl)
  const { evidence, errors: citationErrors } = judgeEvidence(reason.evidence, context.citable)
  const outcomes = reason.sources.slice(0, MAX_ITEMS.sources).map((source) => provenSource(source, context.passages))
  const sources = outcomes.filter((outcome) => typeof outcome !== 'string')
  const textual = [...lengthErrors(text, 'reason'), ...(await textErrors(text, context))]
  const errors = [...outcomes.filter((outcome) => typeof outcome === 'string'), ...citationErrors, ...textual]
  const needsLines = reason.basis === 'diff' || reason.basis === 'inferred'
  if (needsLines ? evidence.length === 0 : sources.length + evidence.length === 0)
    errors.push(needsLines ? 'it cites no line' : 'it has neither a quote nor a cited line')
  const lacksQuote = reason.basis === 'stated' && sources.length === 0
  const isProven = textual.length === 0 && (evidence.length > 0 || (sources.length > 0 && !needsLines))
  const basis = lacksQuote ? 'inferred' : reason.basis
  if (!isProven) return { proven: null, errors }
  // One valid quote is enough; invalid ones are left out.
  return { proven: { text, basis, sources, evidence }, errors: lacksQuote ? errors : [] }
}

export async function checkChange(change: AnsweredChange, context: CheckContext): Promise<Item<DraftChange>> {
  const file = context.citable.files.get(change.fileName.trim())
  const { evidence, errors } = judgeEvidence(change.evidence, context.citable)
  if (!file) errors.push(`\`${change.fileName}\` is not a changed file of this pull request`)
  else if (errors.length === 0 && !evidence.some(({ path }) => path === file.path))
    errors.push(`it cites no line of \`${change.fileName}\`, the file it is about`)
  const heading = cleanText(change.heading ?? '').replace(/[.。]$/, '')
  const description = cleanProse(change.description, context.hostPrUrl)
  errors.push(...lengthErrors(heading, 'heading').map((error) => `its heading: ${error}`))
  errors.push(...formErrors(heading, context), ...lengthErrors(description, 'description'))
  errors.push(...(await textErrors(description, context)))
  const figures = await Promise.all(
    change.figures.slice(0, COUNTS.figuresPerChange).map((figure) => checkFigure(figure, context)),
  )
  const proven = {
    ...change,
    heading,
    description,
    fileName: file?.path ?? change.fileName,
    changeTypes: unique(change.changeTypes),
    figures: figures.map((figure) => figure.proven).filter((figure) => figure !== null),
    evidence,
  }
  if (change.changeTypes.length === 0) errors.push('it has no changeTypes')
  // Show a section even if a figure is invalid, but without that figure.
  const figureErrors = figures.flatMap((figure) => figure.errors)
  return { proven: errors.length > 0 ? null : proven, errors: [...errors, ...figureErrors] }
}

export async function checkPoint(point: DraftPoint, context: CheckContext): Promise<Item<DraftPoint>> {
  const text = cleanProse(point.point, context.hostPrUrl)
  const { evidence, errors } = judgeEvidence(point.evidence, context.citable)
  if (evidence.length === 0) errors.push('it cites no line')
  if (point.categories.length === 0) errors.push('it has no categories')
  errors.push(...lengthErrors(text, 'point'), ...(await textErrors(text, context)))
  return itemOf({ ...point, point: text, categories: unique(point.categories), evidence }, errors)
}

/** Checks a mismatch, whose quote must be in the description. */
export async function checkMismatch(mismatch: DraftMismatch, context: CheckContext): Promise<Item<DraftMismatch>> {
  const text = cleanProse(mismatch.text, context.hostPrUrl)
  const described = context.passages.filter(({ kind }) => kind === 'description')
  const source = provenSource({ kind: 'description', quote: mismatch.quote }, described)
  const { evidence, errors } = judgeEvidence(mismatch.evidence, context.citable)
  errors.push(...lengthErrors(text, 'mismatch'), ...(await textErrors(text, context)))
  if (typeof source === 'string') return { proven: null, errors: [...errors, source] }
  return itemOf({ text, quote: source.quote, evidence }, errors)
}

function itemOf<T>(proven: T, errors: string[]): Item<T> {
  return { proven: errors.length > 0 ? null : proven, errors }
}

function judgeEvidence(cited: Citation[], citable: Citable): { evidence: Citation[]; errors: string[] } {
  const outcomes = cited.slice(0, MAX_ITEMS.evidence).map((citation) => provenCitation(citable, citation))
  const evidence = outcomes.filter((outcome) => typeof outcome !== 'string')
  const distinct = new Map(evidence.map((citation) => [JSON.stringify(citation), citation]))
  return { evidence: [...distinct.values()], errors: outcomes.filter((outcome) => typeof outcome === 'string') }
}

function lengthErrors(text: string, field: TextField): string[] {
  const max = MAX_CHARACTERS[field]
  if (text === '') return ['its text is empty']
  return text.length > max ? [`its text has ${text.length} characters; write at most ${max}`] : []
}

function unique<T>(values: T[]): T[] {
  return [...new Set(values)]
}
