import type { components } from '../../../generated/api.ts'
import { contract } from '../../contract.ts'
import { Problem } from '../../errors.ts'
import { isLanguageCode } from '../../lib/languageCode.ts'
import { fold } from './fold.ts'
import { type WantedLexeme, wantedBy } from './lexemes.ts'

type ChangeType = components['schemas']['ChangeTypeEnum']

/** A word or a phrase to search for. */
export interface SearchTerm {
  /** The folded text of the term. */
  text: string
  wanted: WantedLexeme[]
  /** Whether entries of the index do not suffice, so that the text itself must be checked for the term. */
  needsCheck: boolean
}

export interface SearchQuery {
  terms: SearchTerm[]
  excluded: SearchTerm[]
  repository: string | undefined
  changeType: ChangeType | undefined
  language: string | undefined
}

/** A query that a reader must correct. */
export class InvalidQuery extends Problem {
  readonly part: 'type' | 'language' | 'terms'

  constructor(part: InvalidQuery['part'], message: string) {
    super('VALIDATION_ERROR', message)
    this.part = part
  }
}

export const MAX_TERMS = 10
/** A filter, or a word or phrase with an optional minus. The query is folded, so quotation marks are straight. */
const PART = /(?<filter>repo|type|lang):(?<value>\S+)|(?<minus>-)?(?:"(?<phrase>[^"]*)"?|(?<word>\S+))/g

export const { enum: CHANGE_TYPES } = contract.components.schemas['ChangeTypeEnum'] as unknown as { enum: ChangeType[] }

/** Parses what a reader typed: words, "phrases", exclusions with a minus, and filters such as `repo:owner/name`. */
export function parseQuery(typed: string): SearchQuery {
  const query: SearchQuery = {
    ...{ terms: [], excluded: [] },
    ...{ repository: undefined, changeType: undefined, language: undefined },
  }
  // Quotation marks of other keyboards mean the same.
  const text = fold(typed.replace(/[“”„«»]/g, '"'))
  for (const { groups = {} } of text.matchAll(PART)) {
    const { filter, value = '', minus, phrase, word = '' } = groups
    if (filter === 'repo') query.repository = value
    else if (filter === 'type') query.changeType = changeTypeOf(value)
    else if (filter === 'lang') query.language = languageOf(value)
    else {
      const term = termOf(phrase ?? word)
      if (term) (minus ? query.excluded : query.terms).push(term)
    }
  }
  if (query.terms.length + query.excluded.length > MAX_TERMS)
    throw new InvalidQuery('terms', `A search has at most ${MAX_TERMS} words and phrases.`)
  return query
}

/** Undefined for a term without letters and digits, which the index does not hold. */
function termOf(text: string): SearchTerm | undefined {
  const wanted = wantedBy(text)
  const [only] = wanted
  if (!only) return undefined
  return { text: text.trim(), wanted, needsCheck: wanted.length > 1 || only.lexeme !== text.trim() }
}

function changeTypeOf(value: string): ChangeType {
  const type = CHANGE_TYPES.find((one) => one.toLowerCase() === value)
  if (type) return type
  const names = CHANGE_TYPES.map((one) => one.toLowerCase()).join(', ')
  throw new InvalidQuery('type', `type: is followed by one of ${names}.`)
}

function languageOf(value: string): string {
  if (isLanguageCode(value)) return value
  throw new InvalidQuery('language', 'lang: is followed by a language code of ISO 639-1, such as ja.')
}
