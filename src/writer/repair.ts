import type { GivenAnswer } from './parseAnswer.ts'
import { repairRequest } from './prompts/instructions.ts'
import { MESSAGE_TOKENS } from './prompts/prompts.ts'
import { type Count, fitting } from './reading/tokens.ts'

/** The second turn, in which the model corrects its first answer. */
export interface Repair {
  /** The first answer, shortened to fit. */
  answer: string
  request: string
  tokens: number
}

/** The outcome of checking an answer. */
export interface Judged<T> {
  errors: string[]
  /** What can be used despite the errors. */
  usable: T | null
  /** The message for clients if nothing is usable. */
  reason?: string
  /** Whether the answer is not JSON of the requested schema. */
  isMisfit?: boolean
  repair: Repair
}

interface Correction {
  errors: string[]
  /** The names of the failed items; empty if the whole answer is asked for again. */
  items: string[]
  /** Tokens that the prompt leaves free for the second turn. */
  reserve: number
  count: Count
}

const MAX_ERRORS = 25

export function repairOf({ content, cutOff }: GivenAnswer, correction: Correction): Repair {
  const { errors, items, reserve, count } = correction
  const quotable = cutOff ? '' : content.trim()
  const answer = fitting(count, quotable, Math.floor(reserve * 0.6)).text || '(nothing of use)'
  const request = fitting(count, repairRequest(errors.slice(0, MAX_ERRORS), items), Math.floor(reserve * 0.35)).text
  return { answer, request, tokens: count(answer) + count(request) + 2 * MESSAGE_TOKENS }
}
