import type { FastifyRequest } from 'fastify'
import { operations } from '../../generated/operations.ts'
import { Problem } from '../errors.ts'
import { isNestedTooDeep } from './nesting.ts'

/** A JSON body as it was sent, so that its signature can be verified before anything is parsed. */
export interface RawBody {
  /** Decoded as UTF-8. Bytes that are not UTF-8 become replacement characters, so a signature over them is wrong. */
  text: string
  /** Throws if it is not a JSON object. */
  parse(): Record<string, unknown>
}

/** Whether the contract gives the operation of this request its body unparsed. */
export function takesRawBody({ operationId }: FastifyRequest): boolean {
  return operationId !== null && operationId !== 'mcp' && 'rawBody' in operations[operationId]
}

export function rawBody(text: string): RawBody {
  return { text, parse: () => parseObject(text) }
}

function parseObject(text: string): Record<string, unknown> {
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
