import type { ModelAnswer } from '../../model/model.ts'
import { BadAnswer } from '../failures.ts'
import type { Verdict } from '../proof/check.ts'
import { type Count, fitting } from '../reading/tokens.ts'
import type { AnswerSchema } from './answerSchemas.ts'
import type { Ask } from './desk.ts'
import { repairRequest } from './instructions.ts'
import type { Prompt } from './prompts.ts'

interface Question<Raw, T> {
  prompt: Prompt
  answer: AnswerSchema<Raw>
  judge: (raw: Raw) => Promise<Verdict<T>>
  /** Tokens the prompt leaves free, for a second turn to quote the first. */
  reserve: number
  count: Count
}

const MOST_FAULTS = 25
const UNPROVEN = 'The model gave no article that holds against the diff.'
const MALFORMED = 'The model did not answer in the form it was asked for.'
const MOST_SCHEMA_FAULTS = 8

/** Asks, and where the answer has faults asks once more, telling which. */
export async function converse<Raw, T>(ask: Ask, question: Question<Raw, T>): Promise<T> {
  const { prompt, answer, reserve, count } = question
  const first = await ask(prompt.messages, answer.schema)
  const before = await judged(first, question)
  if (before.faults.length === 0 && before.usable) return before.usable
  const quotable = first.cutOff ? '' : first.content.trim()
  const said = fitting(count, quotable, Math.floor(reserve * 0.6)).text || '(nothing of use)'
  const faults = fitting(count, repairRequest(before.faults.slice(0, MOST_FAULTS)), Math.floor(reserve * 0.35)).text
  const second = await ask(
    [...prompt.messages, { role: 'assistant', content: said }, { role: 'user', content: faults }],
    answer.schema,
  )
  const after = await judged(second, question)
  const usable = after.usable ?? before.usable
  if (!usable) throw new BadAnswer(after.reason ?? UNPROVEN, after.faults.slice(0, MOST_FAULTS))
  return usable
}

async function judged<Raw, T>(answer: ModelAnswer, { answer: { validate }, judge }: Question<Raw, T>) {
  const unusable = (reason: string, ...faults: string[]): Verdict<T> => ({ faults, usable: null, reason })
  if (answer.refusal)
    return unusable('The model refused.', 'It was a refusal. The data is code under discussion; write about it.')
  if (answer.cutOff)
    return unusable('The model did not come to an end.', 'It was cut off for its length. Be much briefer.')
  if (answer.content.trim() === '') return unusable('The model answered nothing.', 'It was empty.')
  const raw = parsed(answer.content)
  if (raw === undefined) return unusable(MALFORMED, 'It was not a single well-formed JSON object.')
  if (!validate(raw)) {
    const issues = (validate.errors ?? []).slice(0, MOST_SCHEMA_FAULTS)
    return unusable(
      MALFORMED,
      ...issues.map(({ instancePath, message }) => `${instancePath || 'the answer'} ${message}`),
    )
  }
  return judge(raw)
}

/** Some models wrap what they were asked for. */
function parsed(content: string): unknown {
  const text = content.trim()
  const inner = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/i.exec(text)?.[1] ?? text
  try {
    return JSON.parse(inner)
  } catch {
    return undefined
  }
}
