import { Problem } from '../../errors.ts'
import { isNestedTooDeep } from './nesting.ts'

/** A JSON body while it arrives, so that a handler can verify its signature without keeping all of it. */
export type RawBody = AsyncIterable<Uint8Array>

/** Parses a JSON object. Throws if the text is anything else. */
export function parseObject(text: string): Record<string, unknown> {
  if (isNestedTooDeep(text)) throw nestedTooDeep()
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('VALIDATION_ERROR', 'The body is not a JSON object.')
  return value as Record<string, unknown>
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('VALIDATION_ERROR', 'The body is not well-formed JSON.')
  }
}

export function nestedTooDeep(): Problem {
  return new Problem('VALIDATION_ERROR', 'The body is nested too deeply.')
}
