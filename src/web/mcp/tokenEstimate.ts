/** Limit of the tokens of an answer, structured content and text together. */
export const MAX_ANSWER_TOKENS = 8000

type Kind = 'lower' | 'upper' | 'digit' | 'space' | 'mark'

const ASCII = 0x80
const kinds = Array.from({ length: ASCII }, (_, code) => kindOf(String.fromCharCode(code)))

function kindOf(character: string): Kind {
  if (/[a-z]/.test(character)) return 'lower'
  if (/[A-Z]/.test(character)) return 'upper'
  if (/\d/.test(character)) return 'digit'
  return /\s/.test(character) ? 'space' : 'mark'
}

/** Tokens of a run of characters of one kind. A word may begin with a capital. */
const RUNS: Record<Kind, (length: number) => number> = {
  lower: wordTokens,
  upper: wordTokens,
  digit: (length) => Math.ceil(length / 3),
  // One space belongs to the token of the word after it.
  space: (length) => (length === 1 ? 0.1 : 1 + length / 16),
  mark: (length) => (length <= 3 ? 0.7 + 0.3 * length : 0.95 * length - 1),
}

function wordTokens(length: number): number {
  return 1.1 + Math.max(0, length - 9) / 4
}

/**
 * Tokens of a character beyond ASCII, by the last character of its range: those of common characters where most texts
 * consist of these, otherwise those of rare ones.
 */
const RANGES: [last: number, tokens: number][] = [
  // Letters with accents, Greek, Cyrillic, Arabic, Hebrew and the scripts of India; then other scripts.
  [0x0dff, 0.45],
  [0x10ff, 0.6],
  [0x1fff, 1.5],
  // Punctuation, symbols, and punctuation of East Asia.
  [0x206f, 1.1],
  [0x2fff, 2],
  [0x303f, 1.1],
  // Kana, rare and common ideographs, Hangul, full-width forms.
  [0x30ff, 0.75],
  [0x4dff, 3],
  [0x9cff, 0.95],
  [0xabff, 3],
  [0xd7ff, 0.7],
  [0xfeff, 3],
  [0xffef, 1.5],
  [0xffff, 3],
]
const ASTRAL_TOKENS = 4

/**
 * About how many o200k tokens a text has, without the tables of the tokenizer, which take 130 MB and 0.3 s to load. The
 * estimate is rarely too low for English, Japanese, code and JSON. Other languages may have half as many tokens again,
 * and text made of random letters or rare characters five times as many.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let kind: Kind | undefined
  let length = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const next = kinds[code]
    if (next === kind || (next === 'lower' && kind === 'upper' && length === 1)) length += 1
    else {
      if (kind) tokens += RUNS[kind](length)
      length = 1
    }
    kind = next
    if (next === undefined) tokens += RANGES.find(([last]) => code <= last)?.[1] ?? ASTRAL_TOKENS
  }
  return Math.ceil(tokens + (kind ? RUNS[kind](length) : 0))
}
