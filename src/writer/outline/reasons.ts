import type { DraftReason, Source } from '../draft.ts'
import { subjectOf } from '../facts/conventional.ts'
import { provenSource } from '../proof/quotes.ts'
import type { AuthorsBlock, Explanation } from './statements.ts'
import { harmless, hasLettersOrDigits } from './text.ts'
import type { Words } from './words.ts'

const MAX_QUOTES = 3
const MAX_QUOTE = 300
/** A quote with fewer characters explains nothing. */
const MIN_QUOTE = 20
const MAX_READ = 2000
/** The maximum number of quotes that are searched in their sources, because each search takes time. */
const MAX_CANDIDATES = 30
const ISSUE_REFERENCE = /\b(?:close|fix|resolve|ref|see)[a-z]*:? (?:[\w.-]+\/[\w.-]+)?#\d+/gi

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Quotes the author's own words as the reason of the change and claims nothing else. */
export function reasonsOf(explanation: Explanation | null, words: Words): DraftReason[] {
  if (!explanation) return []
  const candidates = explanation.statements.slice(0, MAX_CANDIDATES).map(candidateOf)
  const sources = candidates
    .filter(({ quote }) => quote.length >= MIN_QUOTE && hasLettersOrDigits(quote.replace(ISSUE_REFERENCE, '')))
    // Paragraphs explain more than list items.
    .sort((a, b) => Number(a.isItem) - Number(b.isItem))
    .flatMap(sourceOf)
    .slice(0, MAX_QUOTES)
  if (sources.length === 0) return []
  return [{ text: words.explains[explanation.in], basis: 'stated', sources, evidence: [] }]
}

function candidateOf({ isItem, written, from }: AuthorsBlock) {
  const quote = written === null ? '' : quoteOf(written)
  return { quote: isItem && isRoutine(quote) ? '' : quote, from, isItem }
}

/**
 * Whether a list item is the subject of a routine commit, such as a chore, which explains nothing. Descriptions often
 * list the subjects of squashed commits.
 */
function isRoutine(item: string): boolean {
  const { type } = subjectOf(item)
  return type !== null && !['feat', 'fix', 'perf', 'refactor'].includes(type)
}

function sourceOf({ quote, from }: ReturnType<typeof candidateOf>): Source[] {
  const source = provenSource({ kind: from.kind, quote }, [from])
  return typeof source === 'string' ? [] : [source]
}

/** The first whole sentences, up to one with links or markup: a quote must be verbatim and is shown as plain text. */
function quoteOf(written: string): string {
  const text = written.slice(0, MAX_READ).replace(/\s+/g, ' ').trim()
  let quote = ''
  for (const { segment } of sentences.segment(text)) {
    if (quote.length + segment.trimEnd().length > MAX_QUOTE || !isPlain(segment)) break
    quote += segment
  }
  return quote.trim()
}

function isPlain(text: string): boolean {
  return harmless(text) === text.replaceAll('`', "'")
}
