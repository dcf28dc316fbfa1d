import { lengthsFor } from '../../src/writer/prompts/lengths.ts'
import type { Content } from './articleMarkdown.ts'

const MAX_LINES_OF_SMALL_FIX = 30
const MAX_LINES_OF_USUAL_CHANGE = 600

export function proseBudget(changedLines: number, language: string): number {
  const { small, usual, most } = lengthsFor(language)
  if (changedLines <= MAX_LINES_OF_SMALL_FIX) return small
  return changedLines <= MAX_LINES_OF_USUAL_CHANGE ? usual : most
}

/** The sentences that the model wrote, without title, code, quotes, table cells and labels of a diagram. */
export function proseOf(content: Content): string[] {
  const { lead, impact, reasons, backgroundAndPurpose, mainChanges, diagram, notablePoints, mismatches, terms } =
    content
  const figures = mainChanges.flatMap((change) => change.figures)
  return [
    lead?.text,
    impact?.affected,
    impact?.reason,
    impact?.action,
    ...(reasons.length > 0 ? reasons.map(({ text }) => text) : [backgroundAndPurpose]),
    ...mainChanges.flatMap(({ heading, description }) => [heading, description]),
    ...figures.map((figure) => (figure.kind === 'example' ? figure.note : figure.caption)),
    diagram?.caption,
    ...notablePoints.map(({ point }) => point),
    ...mismatches.map(({ text }) => text),
    ...terms.map(({ term, meaning }) => `${term}: ${meaning}`),
  ].filter((text) => typeof text === 'string' && text !== '') as string[]
}

export function charactersIn(text: string): number {
  return [...text].length
}

export function longestSentence(texts: string[], language: string): string {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' })
  return texts
    .flatMap((text) => Array.from(sentences.segment(text), ({ segment }) => segment.trim()))
    .reduce((longest, sentence) => (charactersIn(sentence) > charactersIn(longest) ? sentence : longest), '')
}
