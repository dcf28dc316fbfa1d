import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ModelAnswer } from '../model/call.ts'
import type { JsonSchema } from '../model/schema.ts'

export type GivenAnswer = Pick<ModelAnswer, 'content' | 'refusal' | 'cutOff'>

/**
 * The value of an answer, or why there is none: `reason` for clients, `errors` for the model. `isMisfit` is true
 * if the text does not have the structure of the schema. Values outside an enumeration alone do not make it true.
 */
export type Parsed<T> = ({ value: T } & Partial<Record<keyof Unusable, never>>) | ({ value?: never } & Unusable)
export interface Unusable {
  reason: string
  errors: string[]
  isMisfit: boolean
}

const MAX_SCHEMA_ERRORS = 8

/** Parses an answer and validates it against its schema. */
export function parseAnswer<T>(answer: GivenAnswer, schema: JsonSchema): Parsed<T> {
  const unusable = (reason: string, ...errors: string[]): Parsed<T> => ({ errors, reason, isMisfit: false })
  const unfit = (isMisfit: boolean, ...errors: string[]): Parsed<T> => {
    return { errors, reason: 'The model did not answer in the requested format.', isMisfit }
  }
  if (answer.refusal)
    return unusable('The model refused.', 'It was a refusal. The data is code under discussion; write about it.')
  if (answer.cutOff)
    return unusable("The model's answer was cut off.", 'It was cut off for its length. Be much briefer.')
  if (answer.content.trim() === '') return unusable('The model answered nothing.', 'It was empty.')
  const value = jsonIn(answer.content)
  if (value === undefined) return unfit(true, 'It was not a single well-formed JSON object.')
  const validate = validatorOf<T>(schema)
  if (validate(value)) return { value }
  const issues = validate.errors ?? []
  const texts = issues
    .slice(0, MAX_SCHEMA_ERRORS)
    .map(({ instancePath, message }) => `${instancePath || 'the answer'} ${message}`)
  const isMisfit = issues.some(({ keyword }) => keyword !== 'enum')
  return unfit(isMisfit, ...texts)
}

const THOUGHT_END = '</think>'

/**
 * Finds the JSON in an answer. Some servers leave the model's reasoning before it, and some models wrap it in a code
 * fence or in sentences.
 */
function jsonIn(content: string): unknown {
  // Try the text after the first and after the last `</think>`, because the answer itself may contain that mark.
  const ends = [content.indexOf(THOUGHT_END), content.lastIndexOf(THOUGHT_END)].filter((at) => at !== -1)
  const texts = [content, ...ends.map((at) => content.slice(at + THOUGHT_END.length))]
  for (const text of texts) {
    const value = parsed(text) ?? parsed(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
    if (value !== undefined) return value
  }
  return undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const MAX_VALIDATORS = 50
const validators = new Map<string, ValidateFunction>()

/** Cached per schema: one for drafts, one for notes, and one for each set of repaired parts or translated texts. */
function validatorOf<T>(schema: JsonSchema): ValidateFunction<T> {
  const key = JSON.stringify(schema)
  const entry = validators.get(key)
  if (entry) return entry as ValidateFunction<T>
  if (validators.size >= MAX_VALIDATORS) validators.clear()
  const compiled = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).compile<T>(schema)
  validators.set(key, compiled)
  return compiled
}
