import { clip } from '../lib/clip.ts'

/** The most tokens of an answer, structured content and text together. */
export const MAX_ANSWER_TOKENS = 8000

const SPACE = 0x20
const APOSTROPHE = 0x27
/** Any two of these letters form a token of o200k, also a space and one of them. */
const PAIRING = new Set([...'abcdefghilmnoprstuvwy'].map((letter) => letter.charCodeAt(0)))
/** Blocks of 64 characters, from the first to before the last, whose first two bytes form a token. */
const PAIRING_BLOCKS = [
  [0x2000, 0x2040],
  [0x3000, 0x3100],
  [0x4e00, 0xa000],
  [0xff00, 0xfff0],
] as const
/** Blocks of rare characters within these for which that does not hold. */
const OTHER_BLOCKS = new Set(
  [0x5d40, 0x5d80, 0x6ac0, 0x8780, 0x8800, 0x9780, 0x9bc0, 0x9c00, 0x9c40, 0x9d00, 0x9d40, 0x9d80, 0x9dc0, 0x9fc0].map(
    (first) => first >> 6,
  ),
)

/**
 * An upper bound for the o200k tokens of a text, without the tables of the tokenizer, which take long to load. Every
 * token has at least a byte. Two neighbouring tokens never form a token together, so where all pairs are tokens, three
 * bytes in a row are at most two tokens.
 */
export function tokenBound(text: string): number {
  let bound = 0
  let run = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0x80) {
      bound += characterBound(code)
      run = 0
    } else if (PAIRING.has(code)) {
      run += 1
      if (run < 1 || run % 3 !== 0) bound += 1
    } else {
      bound += 1
      // A space is one piece with the word after it. After an apostrophe, a piece may end within the next two letters.
      run = code === SPACE ? 1 : code === APOSTROPHE ? -2 : 0
    }
  }
  return bound
}

/** For half of a surrogate pair, half of the four bytes. */
function characterBound(code: number): number {
  if (code < 0x800 || (code >= 0xd800 && code < 0xe000)) return 2
  const isPairing = PAIRING_BLOCKS.some(([first, end]) => code >= first && code < end) && !OTHER_BLOCKS.has(code >> 6)
  return isPairing ? 2 : 3
}

export function jsonTokenBound(value: unknown): number {
  return tokenBound(JSON.stringify(value))
}

/** The beginning of a text that takes at most `max` tokens as JSON. */
export function clipToTokens(text: string, max: number): string {
  let cut = text
  for (let bound = jsonTokenBound(cut); bound > max && cut !== ''; bound = jsonTokenBound(cut)) {
    const length = Math.min(cut.length - 2, Math.floor((cut.length * max) / bound))
    cut = length > 0 ? `${clip(cut, length).text}…` : ''
  }
  return cut
}
