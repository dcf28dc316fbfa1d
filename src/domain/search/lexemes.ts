import { foldCase, foldExceptCase } from './fold.ts'

/**
 * Scripts that are searched by pairs of characters: those without spaces between words, and Hangul, whose words change
 * their endings.
 */
const SCRIPTS = ['Han', 'Hira', 'Kana', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
const SPACELESS = `[${SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`
const RUN = new RegExp(`([${SPACELESS}&&[\\p{L}\\p{N}\\p{M}]]+)|[[\\p{L}\\p{N}\\p{M}_]--${SPACELESS}]+`, 'gv')
/** Matches a part of an identifier. Parts are separated before a capital, around digits and at an underscore. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu
/** Longer words are cut. Readers do not type them whole, so their beginning suffices. */
const MAX_CHARACTERS = 60
/** Limit of the words that are added for the parts of an identifier. */
const MAX_WORDS = 20

/** The entries of the search index for a text. */
export function lexemesOf(text: string): Set<string> {
  const lexemes = new Set<string>()
  for (const run of runsOf(text)) {
    if (run.isSpaceless) for (const pair of pairsOf(run.text)) lexemes.add(pair)
    else for (const word of wordsOf(run.text)) lexemes.add(word)
  }
  return lexemes
}

interface Run {
  text: string
  isSpaceless: boolean
}

function* runsOf(text: string): Generator<Run> {
  for (const [run, spaceless] of foldExceptCase(text).matchAll(RUN))
    yield { text: run, isSpaceless: spaceless !== undefined }
}

/** Every two neighboring characters, and the last one alone, so that each character begins an entry. */
function pairsOf(run: string): string[] {
  const characters = [...foldCase(run)]
  return characters.map((character, i) => character + (characters[i + 1] ?? ''))
}

/**
 * An identifier, its parts, and the rest of the identifier from each part on: `useEffectOnce` is found by `effect` and
 * by `effectonce`.
 */
function wordsOf(identifier: string): string[] {
  const parts = [...identifier.matchAll(PART)]
  const words = parts.length > 1 ? parts.flatMap(({ 0: part, index }) => [part, identifier.slice(index)]) : []
  return [identifier, ...words.slice(0, MAX_WORDS)].map((word) => cut(foldCase(word)))
}

function cut(word: string): string {
  return [...word].slice(0, MAX_CHARACTERS).join('')
}

/**
 * An entry of the index that a text must have to be found. If `isPrefix`, longer entries that begin with it match, too.
 */
export interface WantedLexeme {
  lexeme: string
  isPrefix: boolean
}

/** A searched word of at least this many letters also finds longer words: `hook` finds `hooks`. */
const MIN_PREFIX = 3

/** The index entries that a text must have if it contains the given text. */
export function wantedBy(text: string): WantedLexeme[] {
  return [...runsOf(text)].flatMap(({ text: run, isSpaceless }) => {
    if (isSpaceless) {
      const pairs = pairsOf(run)
      const last = pairs.length > 1 ? pairs.slice(0, -1) : pairs
      return last.map((lexeme) => ({ lexeme, isPrefix: pairs.length === 1 }))
    }
    const lexeme = cut(foldCase(run))
    return [{ lexeme, isPrefix: [...lexeme].length >= MIN_PREFIX }]
  })
}
