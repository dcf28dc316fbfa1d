import { MAX_CHARACTERS } from '../contractLimits.ts'
import type { Source } from '../draft.ts'
import { includes } from '../reading/includes.ts'
import type { Passage } from '../reading/passages.ts'

const MIN_QUOTE = 20

type Quote = Omit<Source, 'url'>

/**
 * The source that contains a quote, with its URL, or an error message. If the quote is only in a source of another
 * kind, returns that kind.
 */
export function provenSource({ kind, quote }: Quote, passages: Passage[]): Source | string {
  const words = flat(quote)
  if (words === '') return 'its quote is empty'
  if (words.length > MAX_CHARACTERS.quote) return `its quote is longer than ${MAX_CHARACTERS.quote} characters`
  const ofKind = passages.filter((passage) => passage.kind === kind)
  const others = passages.filter((passage) => passage.kind !== kind)
  const source = [...ofKind, ...others].find(({ text }) => holds(flat(text), words))
  if (source) return { kind: source.kind, quote: words, url: source.url }
  return words.length < MIN_QUOTE
    ? `its quote "${words}" is shorter than ${MIN_QUOTE} characters`
    : `its quote "${words.slice(0, 80)}" stands nowhere in what was shown: copy it letter by letter`
}

/** Whether a source contains a quote. A short quote must be the whole source. */
function holds(source: string, quote: string): boolean {
  return quote.length < MIN_QUOTE ? source === quote : includes(source, quote)
}

/**
 * Normalizes white space and removes the `>` marks that prompts put before quoted lines, because quotes may differ in
 * both.
 */
function flat(text: string): string {
  return text.replace(/^> ?/gm, '').replace(/\s+/g, ' ').trim()
}
