import { clip } from '../../lib/clip.ts'

/** Limit of the tokens of an answer, structured content and text together. */
export const MAX_ANSWER_TOKENS = 8000

const SPACE = 0x20
const APOSTROPHE = 0x27
const BLOCK_BITS = 6
/** Letters any two of which form one o200k token. A space and one of these letters form one token, too. */
const isPairing = new Uint8Array(0x80)
for (const letter of 'abcdefghilmnoprstuvwy') isPairing[letter.charCodeAt(0)] = 1

/**
 * For each block of 64 characters, the maximum number of tokens of a character: one for each of its UTF-8 bytes, but
 * only two for three bytes if the first two form a token.
 */
const blockBounds = new Uint8Array(0x10000 >> BLOCK_BITS).fill(3)
/** Characters of two bytes, and surrogates, each of which is half of a character of four bytes. */
setBounds(2, [0x80, 0x800], [0xd800, 0xe000])
setBounds(2, [0x2000, 0x2040], [0x3000, 0x3100], [0x4e00, 0xa000], [0xff00, 0x10000])
/** Rare Han characters, whose first two bytes do not form a token. */
setBounds(3, [0x5d40, 0x5dc0], [0x6ac0, 0x6b00], [0x8780, 0x87c0], [0x8800, 0x8840], [0x9780, 0x97c0])
setBounds(3, [0x9bc0, 0x9c80], [0x9d00, 0x9e00], [0x9fc0, 0xa000])

function setBounds(bound: number, ...ranges: [first: number, end: number][]): void {
  for (const [first, end] of ranges) blockBounds.fill(bound, first >> BLOCK_BITS, end >> BLOCK_BITS)
}

/**
 * An upper bound for the o200k tokens of a text, without the tables of the tokenizer, which take long to load. Every
 * token has at least one byte. Two adjacent tokens never form a token together, so where every two bytes form a token,
 * three bytes in a row are at most two tokens.
 */
export function tokenBound(text: string): number {
  let bound = 0
  let run = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0x80) {
      bound += blockBounds[code >> BLOCK_BITS] as number
      run = 0
    } else if (isPairing[code] === 1) {
      run += 1
      if (run < 1 || run % 3 !== 0) bound += 1
    } else {
      bound += 1
      // The tokenizer first splits a text into pieces. A space belongs to the same piece as the word after it. After an
      // apostrophe, a piece may end within the next two letters.
      run = code === SPACE ? 1 : code === APOSTROPHE ? -2 : 0
    }
  }
  return bound
}

export function jsonTokenBound(value: unknown): number {
  return tokenBound(JSON.stringify(value))
}

/** In JSON, a text has two quotation marks, and a character takes at most six characters. */
const QUOTES = 2
const MAX_TOKENS_PER_CHARACTER = 6

/** The beginning of a text that takes at most `max` tokens as JSON. */
export function clipToTokens(text: string, max: number): string {
  if (text.length * MAX_TOKENS_PER_CHARACTER + QUOTES <= max) return text
  let cut = text
  for (let bound = jsonTokenBound(cut); bound > max && cut !== ''; bound = jsonTokenBound(cut)) {
    const length = Math.min(cut.length - 2, Math.floor((cut.length * max) / bound))
    cut = length > 0 ? `${clip(cut, length).text}…` : ''
  }
  return cut
}
