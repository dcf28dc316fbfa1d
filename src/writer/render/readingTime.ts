import type { StoredContent } from '../content.ts'

const CHARACTERS_A_MINUTE = 500
const WORDS_A_MINUTE = 220
const CODE_LINES_A_MINUTE = 40

/** Scripts whose reading speed is given in characters. */
const COUNTED_BY_CHARACTER = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu
const WORD = /[\p{L}\p{N}]+/gu

/** The minutes it takes to read the prose of a text and to skim its code. */
export function readingMinutes(content: StoredContent): number {
  const { lead, impact, reasons, backgroundAndPurpose, mainChanges, notablePoints, mismatches, terms } = content
  const figures = mainChanges.flatMap((change) => change.figures)
  const prose = [
    lead?.text,
    impact && [impact.affected, impact.reason, impact.action ?? ''].join(' '),
    ...(reasons.length > 0 ? reasons.map(({ text }) => text) : [backgroundAndPurpose]),
    ...mainChanges.flatMap(({ heading, description }) => [heading, description]),
    ...figures.flatMap((figure) => (figure.kind === 'table' ? figure.rows.flat() : [])),
    ...notablePoints.map(({ point }) => point),
    ...mismatches.map(({ text }) => text),
    ...terms.map(({ meaning }) => meaning),
  ].join('\n')
  const lines = figures.reduce((sum, figure) => sum + codeLines(figure), 0)
  const characters = prose.match(COUNTED_BY_CHARACTER)?.length ?? 0
  const words = prose.replace(COUNTED_BY_CHARACTER, ' ').match(WORD)?.length ?? 0
  const minutes = characters / CHARACTERS_A_MINUTE + words / WORDS_A_MINUTE + lines / CODE_LINES_A_MINUTE
  return Math.max(1, Math.round(minutes))
}

function codeLines(figure: StoredContent['mainChanges'][number]['figures'][number]): number {
  if (figure.kind === 'code') return (figure.before?.lines.length ?? 0) + (figure.after?.lines.length ?? 0)
  return figure.kind === 'example' ? figure.text.split('\n').length : 0
}
