import type { Citation, Draft, DraftChange, DraftPoint } from '../draft.ts'
import { cleanProse, cleanText, markdownErrors } from './checkMarkdown.ts'
import { type Citable, provenCitation } from './citable.ts'
import { otherLanguageOf } from './languages.ts'
import { repeats } from './repeats.ts'

/** The errors of an answer, and the part that is usable despite them. */
export interface Verdict<T> {
  errors: string[]
  usable: T | null
  /** The message for clients if nothing is usable. */
  reason?: string
}

/** A draft with valid claims only, and the number of dropped ones. */
export interface Proven {
  draft: Draft
  dropped: number
}

export interface Standards {
  citable: Citable
  language: string
  languageName: string
  hostPrUrl: string
  /** The instructions to the model, which it must not repeat. */
  instructions: string
}

/** Checks a draft against the diff and the rules for texts. */
export async function checkDraft(raw: Draft, standards: Standards): Promise<Verdict<Proven>> {
  const draft = cleaned(raw, standards)
  const whole = await articleErrors(draft, standards)
  const changes = await judgeClaims(draft.mainChanges, 'mainChanges', (change) => changeErrors(change, standards))
  const points = await judgeClaims(draft.notablePoints, 'notablePoints', (point) => pointErrors(point, standards))
  const dropped = changes.dropped + points.dropped
  const proven = { ...draft, mainChanges: changes.kept, notablePoints: points.kept }
  const errors = [...whole, ...changes.errors, ...points.errors]
  if (whole.length === 0 && changes.kept.length > 0) return { errors, usable: { draft: proven, dropped } }
  const inAnotherLanguage = whole.some((error) => error.includes(notIn(standards)))
  return {
    errors,
    usable: null,
    ...(inAnotherLanguage && { reason: `The model did not write in ${standards.languageName}.` }),
  }
}

/** Finds forbidden content in a text. */
export function formErrors(text: string, { hostPrUrl, instructions }: Omit<Standards, 'citable'>): string[] {
  const errors = markdownErrors(text, hostPrUrl)
  return repeats(text, instructions) ? [...errors, 'it repeats the instructions'] : errors
}

/** Like `formErrors`, and also checks the language. Titles are too short for that. */
export async function textErrors(text: string, standards: Omit<Standards, 'citable'>): Promise<string[]> {
  return [...formErrors(text, standards), ...(await languageErrors(text, standards))]
}

export async function languageErrors(text: string, standards: Omit<Standards, 'citable'>): Promise<string[]> {
  const other = await otherLanguageOf(text, standards.language)
  return other ? [`it is ${notIn(standards)} (it looks like "${other}")`] : []
}

function notIn({ languageName }: Pick<Standards, 'languageName'>): string {
  return `not in ${languageName}`
}

export function textsOf({ aiGeneratedTitle, backgroundAndPurpose, mainChanges, notablePoints }: Draft): string[] {
  return [
    aiGeneratedTitle,
    backgroundAndPurpose ?? '',
    ...mainChanges.map(({ description }) => description),
    ...notablePoints.map(({ point }) => point),
  ]
}

async function articleErrors(draft: Draft, standards: Standards): Promise<string[]> {
  const { aiGeneratedTitle: title, backgroundAndPurpose: background } = draft
  const prefixed = (where: string, errors: string[]) => errors.map((error) => `${where}: ${error}`)
  const errors = [
    // A title may consist of names only, so its language is checked together with all texts.
    ...prefixed('aiGeneratedTitle', formErrors(title, standards)),
    ...prefixed('backgroundAndPurpose', await textErrors(background ?? '', standards)),
  ]
  if (title === '' || title.includes('\n')) errors.push('aiGeneratedTitle: it must be one line of text')
  const other = await otherLanguageOf(textsOf(draft).join('\n'), standards.language)
  if (other) errors.push(`the article is ${notIn(standards)} (it looks like "${other}")`)
  return errors
}

type Judged<Claim> = { proven: Claim; errors: string[] }

async function judgeClaims<Claim>(claims: Claim[], where: string, judge: (claim: Claim) => Promise<Judged<Claim>>) {
  const judged = await Promise.all(claims.map(judge))
  const kept = judged.filter(({ errors }) => errors.length === 0).map(({ proven }) => proven)
  const errors = judged.flatMap((claim, i) => claim.errors.map((error) => `${where}[${i}]: ${error}`))
  return { kept, errors, dropped: claims.length - kept.length }
}

async function changeErrors(change: DraftChange, standards: Standards): Promise<Judged<DraftChange>> {
  const file = standards.citable.files.get(change.fileName)
  const { evidence, errors } = judgeEvidence(change.evidence, standards.citable)
  if (!file) errors.push(`\`${change.fileName}\` is not a changed file of this pull request`)
  else if (errors.length === 0 && !evidence.some(({ path }) => path === file.path))
    errors.push(`it cites no line of \`${change.fileName}\`, the file it is about`)
  if (change.description === '') errors.push('its description is empty')
  const proven = { ...change, fileName: file?.path ?? change.fileName, evidence }
  return { proven, errors: [...errors, ...(await textErrors(change.description, standards))] }
}

async function pointErrors(point: DraftPoint, standards: Standards): Promise<Judged<DraftPoint>> {
  const { evidence, errors } = judgeEvidence(point.evidence, standards.citable)
  if (point.point === '') errors.push('it is empty')
  return { proven: { ...point, evidence }, errors: [...errors, ...(await textErrors(point.point, standards))] }
}

function judgeEvidence(cited: Citation[], citable: Citable): { evidence: Citation[]; errors: string[] } {
  const outcomes = cited.map((citation) => provenCitation(citable, citation))
  const evidence = outcomes.filter((outcome) => typeof outcome !== 'string')
  const unique = new Map(evidence.map((citation) => [JSON.stringify(citation), citation]))
  return { evidence: [...unique.values()], errors: outcomes.filter((outcome) => typeof outcome === 'string') }
}

function cleaned(draft: Draft, { hostPrUrl }: Standards): Draft {
  const clean = (text: string) => cleanProse(text, hostPrUrl)
  return {
    aiGeneratedTitle: cleanText(draft.aiGeneratedTitle),
    backgroundAndPurpose: draft.backgroundAndPurpose === null ? null : clean(draft.backgroundAndPurpose) || null,
    mainChanges: draft.mainChanges.map((change) => ({
      ...change,
      fileName: change.fileName.trim(),
      changeTypes: [...new Set(change.changeTypes)],
      description: clean(change.description),
    })),
    notablePoints: draft.notablePoints.map((point) => ({
      ...point,
      categories: [...new Set(point.categories)],
      point: clean(point.point),
    })),
  }
}
