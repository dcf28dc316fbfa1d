import type { PullRequestDocument } from '../../writer/facts/document.ts'
import { withoutCodeAndComments } from './withoutCodeAndComments.ts'

/** A reference to an issue of the same repository. */
export interface Reference {
  number: number
  /** Whether the pull request closes the issue. */
  closes: boolean
}

export type PlacedTexts = Pick<PullRequestDocument, 'title' | 'body'> & {
  commits: { message: string }[]
  comments: { body: string }[]
}

interface Place {
  number: number
  /** `owner/name` in lower case. */
  fullName: string
  /** The URL of the repository's page in lower case. */
  page: string
}

const MAX_REFERENCES = 5
const MAX_SCANNED_CHARACTERS = 2_000_000
/** Limit of the references in a text. A text with more is not written by hand, and each of them takes time. */
const MAX_MATCHES_PER_TEXT = 1000
const MAX_NUMBER = 2_147_483_647

const REFERENCE = /(#|\/(?:issues|pull)\/)(\d{1,10})(?!\w)/g
const KEYWORD = /(?<![\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+$/i
const MAX_KEYWORD_CHARACTERS = 24

/**
 * The issues that a pull request mentions: first those after a closing keyword, then all others in the order of the
 * texts. Closing keywords count in the title, the description and commits, but not in comments, which anyone may write.
 */
export function referencesOf(texts: PlacedTexts, pull: { number: number; url: string; fullName: string }): Reference[] {
  const place = { number: pull.number, fullName: pull.fullName.toLowerCase(), page: pageOf(pull.url) }
  const numbers = new Set<number>()
  const closing = new Set<number>()
  let charactersLeft = MAX_SCANNED_CHARACTERS
  const scan = (text: string, mayClose: boolean) => {
    charactersLeft -= text.length
    if (charactersLeft < 0) return
    for (const { number, closes } of referencesIn(withoutCodeAndComments(text), place)) {
      numbers.add(number)
      if (closes && mayClose) closing.add(number)
    }
  }
  for (const text of [texts.title, texts.body ?? '', ...texts.commits.map(({ message }) => message)]) scan(text, true)
  for (const { body } of texts.comments) {
    if (numbers.size >= MAX_REFERENCES) break
    scan(body, false)
  }
  return [...new Set([...closing, ...numbers])]
    .slice(0, MAX_REFERENCES)
    .map((number) => ({ number, closes: closing.has(number) }))
}

function* referencesIn(text: string, place: Place): Generator<Reference> {
  let matches = 0
  for (const { index, 1: mark = '', 2: digits } of text.matchAll(REFERENCE)) {
    if (++matches > MAX_MATCHES_PER_TEXT) return
    const number = Number(digits)
    const start = startOf(text, index, mark, place)
    if (start === undefined || number === 0 || number > MAX_NUMBER || number === place.number) continue
    yield { number, closes: KEYWORD.test(text.slice(Math.max(0, start - MAX_KEYWORD_CHARACTERS), start)) }
  }
}

/**
 * The position where a reference to this repository starts: `#1`, `owner/name#1` or a URL. Undefined for any other
 * text.
 */
function startOf(text: string, index: number, mark: string, { fullName, page }: Place): number | undefined {
  if (mark !== '#') return isPrecededBy(text, index, page) ? index - page.length : undefined
  const start = isPrecededBy(text, index, fullName) ? index - fullName.length : index
  // Excludes numbers of another repository, headings in addresses and character references of HTML.
  return /[\w/&#.-]/.test(text[start - 1] ?? ' ') ? undefined : start
}

function isPrecededBy(text: string, index: number, words: string): boolean {
  return text.slice(Math.max(0, index - words.length), index).toLowerCase() === words
}

/** The URL of the repository's page: the pull request's URL without its last two segments. */
function pageOf(url: string): string {
  return url.toLowerCase().split('/').slice(0, -2).join('/')
}
