import type { Citation, Draft, DraftChange, DraftPoint } from '../draft.ts'
import { cleanProse, cleanText, markdownErrors } from './checkMarkdown.ts'
import { type Citable, provenCitation } from './citable.ts'
import { otherLanguageOf } from './languages.ts'
import { repeats } from './repeats.ts'

/** What is wrong with an answer, and what of it could be used all the same. */
export interface Verdict<T> {
  faults: string[]
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
  const whole = await faultsOfWhole(draft, standards)
  const changes = await judgeClaims(draft.mainChanges, 'mainChanges', (change) => faultsOfChange(change, standards))
  const points = await judgeClaims(draft.notablePoints, 'notablePoints', (point) => faultsOfPoint(point, standards))
  const dropped = changes.dropped + points.dropped
  const proven = { ...draft, mainChanges: changes.kept, notablePoints: points.kept }
  const faults = [...whole, ...changes.faults, ...points.faults]
  if (whole.length === 0 && changes.kept.length > 0) return { faults, usable: { draft: proven, dropped } }
  const inAnotherLanguage = whole.some((fault) => fault.includes(notIn(standards)))
  return {
    faults,
    usable: null,
    ...(inAnotherLanguage && { reason: `The model did not write in ${standards.languageName}.` }),
  }
}

/** What a text holds that it must not. */
export function faultsOfForm(text: string, { hostPrUrl, instructions }: Omit<Standards, 'citable'>): string[] {
  const faults = markdownErrors(text, hostPrUrl)
  return repeats(text, instructions) ? [...faults, 'it repeats the instructions'] : faults
}

/** The same of a text that is long enough to be in a language. */
export async function faultsOfText(text: string, standards: Omit<Standards, 'citable'>): Promise<string[]> {
  return [...faultsOfForm(text, standards), ...(await faultsOfLanguage(text, standards))]
}

export async function faultsOfLanguage(text: string, standards: Omit<Standards, 'citable'>): Promise<string[]> {
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

async function faultsOfWhole(draft: Draft, standards: Standards): Promise<string[]> {
  const { aiGeneratedTitle: title, backgroundAndPurpose: background } = draft
  const told = (where: string, faults: string[]) => faults.map((fault) => `${where}: ${fault}`)
  const faults = [
    // A headline may be all names; its language shows in the whole.
    ...told('aiGeneratedTitle', faultsOfForm(title, standards)),
    ...told('backgroundAndPurpose', await faultsOfText(background ?? '', standards)),
  ]
  if (title === '' || title.includes('\n')) faults.push('aiGeneratedTitle: it must be one line of text')
  const other = await otherLanguageOf(textsOf(draft).join('\n'), standards.language)
  if (other) faults.push(`the article is ${notIn(standards)} (it looks like "${other}")`)
  return faults
}

type Judged<Claim> = { proven: Claim; faults: string[] }

async function judgeClaims<Claim>(claims: Claim[], where: string, judge: (claim: Claim) => Promise<Judged<Claim>>) {
  const judged = await Promise.all(claims.map(judge))
  const kept = judged.filter(({ faults }) => faults.length === 0).map(({ proven }) => proven)
  const faults = judged.flatMap((one, i) => one.faults.map((fault) => `${where}[${i}]: ${fault}`))
  return { kept, faults, dropped: claims.length - kept.length }
}

async function faultsOfChange(change: DraftChange, standards: Standards): Promise<Judged<DraftChange>> {
  const file = standards.citable.files.get(change.fileName)
  const { evidence, faults } = judgeEvidence(change.evidence, standards.citable)
  if (!file) faults.push(`\`${change.fileName}\` is not a changed file of this pull request`)
  else if (faults.length === 0 && !evidence.some(({ path }) => path === file.path))
    faults.push(`it cites no line of \`${change.fileName}\`, the file it is about`)
  if (change.description === '') faults.push('its description is empty')
  const proven = { ...change, fileName: file?.path ?? change.fileName, evidence }
  return { proven, faults: [...faults, ...(await faultsOfText(change.description, standards))] }
}

async function faultsOfPoint(point: DraftPoint, standards: Standards): Promise<Judged<DraftPoint>> {
  const { evidence, faults } = judgeEvidence(point.evidence, standards.citable)
  if (point.point === '') faults.push('it is empty')
  return { proven: { ...point, evidence }, faults: [...faults, ...(await faultsOfText(point.point, standards))] }
}

function judgeEvidence(cited: Citation[], citable: Citable): { evidence: Citation[]; faults: string[] } {
  const outcomes = cited.map((citation) => provenCitation(citable, citation))
  const evidence = outcomes.filter((outcome) => typeof outcome !== 'string')
  const unique = new Map(evidence.map((citation) => [JSON.stringify(citation), citation]))
  return { evidence: [...unique.values()], faults: outcomes.filter((outcome) => typeof outcome === 'string') }
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
