import type { Citation, Draft, DraftChange, DraftPoint } from '../draft.ts'
import { cleanProse, cleanText, markdownErrors } from './checkMarkdown.ts'
import { type Citable, provenCitation } from './citable.ts'
import { otherLanguageOf } from './languages.ts'
import { repeats } from './repeats.ts'

/** What is wrong with an answer, and what of it could be used all the same. */
export interface Verdict<T> {
  errors: string[]
  usable: T | null
  /** What to tell people where nothing can be used. */
  reason?: string
}

/** A draft whose every claim holds, and how many were left out because they did not. */
export interface Proven {
  draft: Draft
  dropped: number
}

export interface Standards {
  citable: Citable
  language: string
  languageName: string
  hostPrUrl: string
  /** What the model was told, which it must not repeat. */
  instructions: string
}

/** Holds a draft against the diff and against what a text may be. */
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

/** What a text holds that it must not. */
export function formErrors(text: string, { hostPrUrl, instructions }: Omit<Standards, 'citable'>): string[] {
  const errors = markdownErrors(text, hostPrUrl)
  return repeats(text, instructions) ? [...errors, 'it repeats the instructions'] : errors
}

/** The same of a text that is long enough to be in a language. */
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
  const told = (where: string, errors: string[]) => errors.map((error) => `${where}: ${error}`)
  const errors = [
    // A headline may be all names; its language shows in the whole.
    ...told('aiGeneratedTitle', formErrors(title, standards)),
    ...told('backgroundAndPurpose', await textErrors(background ?? '', standards)),
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
  const errors = judged.flatMap((one, i) => one.errors.map((error) => `${where}[${i}]: ${error}`))
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
