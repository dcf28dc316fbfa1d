import ranked from 'gpt-tokenizer/bpeRanks/o200k_base'
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'

const NOT_ASCII = /[^\0-\x7f]/
const NONE = 0x7fffffff
/**
 * Boundaries between lines. No token spans them, because a line end belongs to the token before it, with the slashes
 * and blank lines after it.
 */
const BETWEEN_LINES = /(?<=\n)(?=[^\s/]|[^\S\r\n]+\S)/
/** Splits ASCII text at the same positions as O200K_TOKEN_SPLIT_REGEX, four times as fast. */
const ASCII_TOKEN_SPLIT_REGEX = new RegExp(
  O200K_TOKEN_SPLIT_REGEX.source
    .replaceAll('\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}', 'A-Z')
    .replaceAll('\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}', 'a-z')
    .replaceAll('\\p{N}{1,3}', '[0-9]{1,3}')
    .replaceAll('\\p{L}\\p{N}', 'A-Za-z0-9'),
  'g',
)

/** The rank of each token by its bytes, each byte as one character. */
const ranks = new Map(
  ranked.map((token, rank) => [typeof token === 'string' ? bytesOf(token) : String.fromCharCode(...token), rank]),
)

/** Ranks of byte pairs, from which all merging starts. */
const pairRanks = new Int32Array(1 << 16).fill(NONE)
for (const [bytes, rank] of ranks)
  if (bytes.length === 2) pairRanks[(bytes.charCodeAt(0) << 8) | bytes.charCodeAt(1)] = rank

/** Cached counts of pieces that are not single tokens, such as names in code, which repeat. */
const counted = new Map<string, number>()
const MAX_COUNTED = 20_000

/**
 * Counts o200k_base tokens with the tables of gpt-tokenizer. Its own encoder gives the same count, but takes twice the
 * CPU time: 14 s for 9.5 MB of random words and 17 s for a single run of 100,000 random letters, although a thread may
 * take only 30 s.
 */
export function countTokens(text: string): number {
  if (NOT_ASCII.test(text))
    return text.split(BETWEEN_LINES).reduce((sum, line) => sum + countPieces(line, !NOT_ASCII.test(line)), 0)
  return countPieces(text, true)
}

function countPieces(text: string, isAscii: boolean): number {
  let count = 0
  for (const piece of text.match(isAscii ? ASCII_TOKEN_SPLIT_REGEX : O200K_TOKEN_SPLIT_REGEX) ?? []) {
    const bytes = isAscii ? piece : bytesOf(piece)
    count += ranks.has(bytes) ? 1 : (counted.get(bytes) ?? countNew(bytes))
  }
  return count
}

function bytesOf(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text
}

function countNew(bytes: string): number {
  const count = countMerged(bytes)
  if (counted.size >= MAX_COUNTED) counted.clear()
  counted.set(bytes, count)
  return count
}

/**
 * Merges the two neighboring parts with the lowest rank, leftmost first, until no two neighbors form a token. Returns
 * the number of parts that are left.
 */
function countMerged(bytes: string): number {
  let parts = bytes.length
  const starts = Int32Array.from({ length: parts + 1 }, (_, i) => i)
  const pairs = new Int32Array(parts).fill(NONE)
  for (let i = 0; i + 1 < parts; i += 1)
    pairs[i] = pairRanks[(bytes.charCodeAt(i) << 8) | bytes.charCodeAt(i + 1)] as number
  for (;;) {
    let lowest = NONE
    let at = -1
    for (let i = 0; i < parts; i += 1) {
      const rank = pairs[i] as number
      if (rank < lowest) {
        lowest = rank
        at = i
      }
    }
    if (at === -1) return parts
    starts.copyWithin(at + 1, at + 2, parts + 1)
    pairs.copyWithin(at + 1, at + 2, parts)
    parts -= 1
    for (let i = Math.max(at - 1, 0); i <= at; i += 1)
      pairs[i] = i + 2 > parts ? NONE : (ranks.get(bytes.slice(starts[i], starts[i + 2])) ?? NONE)
  }
}
