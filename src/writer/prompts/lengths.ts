import { MAX_CHARACTERS } from '../contractLimits.ts'

/** Japanese, Chinese and Korean need fewer characters for the same content. */
const DENSE = ['ja', 'zh', 'ko']
const ALPHABETIC_FACTOR = 2.2

/** How long the parts of an article may be, in characters. */
export function lengthsFor(language: string) {
  const factor = DENSE.includes(language) ? 1 : ALPHABETIC_FACTOR
  const scaled = (characters: number) => Math.round(characters * factor)
  return {
    title: Math.min(scaled(60), MAX_CHARACTERS.title),
    lead: scaled(220),
    sentence: scaled(70),
    small: scaled(900),
    usual: scaled(1800),
    most: scaled(3000),
  }
}

export type Lengths = ReturnType<typeof lengthsFor>

export const COUNTS = {
  reasons: 5,
  changes: 6,
  figuresPerChange: 3,
  codeLines: 18,
  points: 3,
  pointsIfBreaking: 5,
  terms: 3,
  notesPerPart: 6,
}
