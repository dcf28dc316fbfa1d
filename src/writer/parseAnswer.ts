import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ModelAnswer } from '../model/call.ts'
import type { JsonSchema } from '../model/schema.ts'
import { repairRequest } from './prompts/instructions.ts'
import { MESSAGE_TOKENS } from './prompts/prompts.ts'
import type { Verdict } from './proof/check.ts'
import { type Count, fitting } from './reading/tokens.ts'

export type GivenAnswer = Pick<ModelAnswer, 'content' | 'refusal' | 'cutOff'>

/** The second turn, in which the model corrects its first answer. */
export interface Repair {
  /** The first answer, shortened to fit. */
  answer: string
  request: string
  tokens: number
}

export interface Judged<T> extends Verdict<T> {
  repair: Repair
}

interface Question<Raw, T> {
  schema: JsonSchema
  judge: (raw: Raw) => Promise<Verdict<T>>
  reserve: number
  count: Count
}

const MAX_ERRORS = 25
const MAX_SCHEMA_ERRORS = 8
const MALFORMED = 'The model did not answer in the requested format.'

/** Validates an answer against its schema and the rules, and builds the request to correct it. */
export async function judgeAnswer<Raw, T>(answer: GivenAnswer, question: Question<Raw, T>): Promise<Judged<T>> {
  const verdict = await verdictOn(answer, question)
  const errors = verdict.errors.slice(0, MAX_ERRORS)
  return { ...verdict, errors, repair: repairOf(answer, errors, question) }
}

function repairOf(
  { content, cutOff }: GivenAnswer,
  errors: string[],
  { reserve, count }: Question<never, unknown>,
): Repair {
  const quotable = cutOff ? '' : content.trim()
  const answer = fitting(count, quotable, Math.floor(reserve * 0.6)).text || '(nothing of use)'
  const request = fitting(count, repairRequest(errors), Math.floor(reserve * 0.35)).text
  return { answer, request, tokens: count(answer) + count(request) + 2 * MESSAGE_TOKENS }
}

async function verdictOn<Raw, T>(answer: GivenAnswer, { schema, judge }: Question<Raw, T>): Promise<Verdict<T>> {
  const unusable = (reason: string, ...errors: string[]): Verdict<T> => ({ errors, usable: null, reason })
  if (answer.refusal)
    return unusable('The model refused.', 'It was a refusal. The data is code under discussion; write about it.')
  if (answer.cutOff)
    return unusable("The model's answer was cut off.", 'It was cut off for its length. Be much briefer.')
  if (answer.content.trim() === '') return unusable('The model answered nothing.', 'It was empty.')
  const raw = parsed(answer.content)
  if (raw === undefined) return unusable(MALFORMED, 'It was not a single well-formed JSON object.')
  const validate = validatorOf<Raw>(schema)
  if (!validate(raw)) {
    const issues = (validate.errors ?? []).slice(0, MAX_SCHEMA_ERRORS)
    return unusable(
      MALFORMED,
      ...issues.map(({ instancePath, message }) => `${instancePath || 'the answer'} ${message}`),
    )
  }
  return judge(raw)
}

/** Some models wrap the JSON in a code fence. */
function parsed(content: string): unknown {
  const text = content.trim()
  const fence = /^```(?:json)?[^\S\n]*\n/i.exec(text)?.[0]
  const inner = fence && text.endsWith('```') ? text.slice(fence.length, -3) : text
  try {
    return JSON.parse(inner)
  } catch {
    return undefined
  }
}

const MAX_VALIDATORS = 50
const validators = new Map<string, ValidateFunction>()

/** Cached per schema: one for drafts, one for notes and one for each length of translation. */
function validatorOf<Raw>(schema: JsonSchema): ValidateFunction<Raw> {
  const key = JSON.stringify(schema)
  const known = validators.get(key)
  if (known) return known as ValidateFunction<Raw>
  if (validators.size >= MAX_VALIDATORS) validators.clear()
  const compiled = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).compile<Raw>(schema)
  validators.set(key, compiled)
  return compiled
}
