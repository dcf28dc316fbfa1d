import type { Passage } from '../reading/passages.ts'
import type { Citable } from './citable.ts'
import type { ShownLines } from './shownLines.ts'

/** What every text of an article is checked by. */
export interface TextStandards {
  language: string
  languageName: string
  hostPrUrl: string
  /** The instructions to the model, which it must not repeat. */
  instructions: string
}

/** What a draft is checked by: the lines and passages that the model was shown, and the rules for texts. */
export interface Standards extends TextStandards {
  citable: Citable
  lines: ShownLines
  passages: Passage[]
  /** The title of the milestone; null without one. */
  milestone: string | null
}

/** An item of an answer: what holds of it, null if nothing, and its errors. */
export interface Item<T> {
  proven: T | null
  errors: string[]
}
