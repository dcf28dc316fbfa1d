import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ModelAnswer } from '../model/call.ts'
import type { JsonSchema } from '../model/schema.ts'

export type GivenAnswer = Pick<ModelAnswer, 'content' | 'refusal' | 'cutOff'>

/** The value of an answer, or why it has none: `reason` for clients, `errors` for the model. */
export type Parsed<T> = { value: T } | { value?: never; reason: string; errors: string[] }

const MAX_SCHEMA_ERRORS = 8
const MALFORMED = 'The model did not answer in the requested format.'

/** Parses an answer and validates it against its schema. */
export function parseAnswer<T>(answer: GivenAnswer, schema: JsonSchema): Parsed<T> {
  const unusable = (reason: string, ...errors: string[]): Parsed<T> => ({ errors, reason })
  if (answer.refusal)
    return unusable('The model refused.', 'It was a refusal. The data is code under discussion; write about it.')
  if (answer.cutOff)
    return unusable("The model's answer was cut off.", 'It was cut off for its length. Be much briefer.')
  if (answer.content.trim() === '') return unusable('The model answered nothing.', 'It was empty.')
  const value = parsed(answer.content)
  if (value === undefined) return unusable(MALFORMED, 'It was not a single well-formed JSON object.')
  const validate = validatorOf<T>(schema)
  if (validate(value)) return { value }
  const issues = (validate.errors ?? []).slice(0, MAX_SCHEMA_ERRORS)
  return unusable(MALFORMED, ...issues.map(({ instancePath, message }) => `${instancePath || 'the answer'} ${message}`))
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

/** Cached per schema: one for drafts, one for notes, and one for each set of repaired parts or translated texts. */
function validatorOf<T>(schema: JsonSchema): ValidateFunction<T> {
  const key = JSON.stringify(schema)
  const known = validators.get(key)
  if (known) return known as ValidateFunction<T>
  if (validators.size >= MAX_VALIDATORS) validators.clear()
  const compiled = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).compile<T>(schema)
  validators.set(key, compiled)
  return compiled
}
