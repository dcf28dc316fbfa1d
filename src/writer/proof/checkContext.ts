import type { Passage } from '../reading/passages.ts'
import type { Citable } from './citable.ts'
import type { ShownLines } from './shownLines.ts'

/** The data that every text of an article is checked against. */
export interface TextContext {
  language: string
  languageName: string
  hostPrUrl: string
  /** The instructions to the model, which it must not repeat. */
  instructions: string
}

/**
 * The data that an answer is checked against: the lines and passages that the model was shown, and the data for texts.
 */
export interface CheckContext extends TextContext {
  citable: Citable
  lines: ShownLines
  /** The headings of the hunks, such as the enclosing function. */
  headings: string[]
  passages: Passage[]
  /** The title of the milestone; null without one. */
  milestone: string | null
}

/** An item of an answer: its valid form, null if there is none, and its errors. */
export interface Item<T> {
  proven: T | null
  errors: string[]
}
