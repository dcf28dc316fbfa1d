import type { FastifyError } from 'fastify'
import { hostProblem } from '../../domain/repositories/problems.ts'
import { type ErrorDetails, Problem } from '../../errors.ts'

type Issue = NonNullable<ErrorDetails['issues']>[number]

const MAX_ISSUES = 20
const NOT_A_LANGUAGE = 'must be a language code of ISO 639-1, such as ja'
/** Postgres is down, shutting down, read-only, refusing our login, out of connections, or timed out. */
const UNAVAILABLE_SQLSTATES = /^(08...|25006|25P03|28...|3D000|40001|40P01|53...|55000|55P03|57014|57P0.)$/
const UNAVAILABLE_SYSTEM_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]
/** Messages of `pg` errors that have no code and mean that Postgres is unavailable. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|driver has already been destroyed)/

/** The error to send for a thrown value; undefined for an internal error. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const ofHost = hostProblem(error)
  if (ofHost) return ofHost
  if (!(error instanceof Error)) return undefined
  return fromFramework(error as FastifyError) ?? fromDatabase(error as NodeJS.ErrnoException)
}

function fromFramework(error: FastifyError): Problem | undefined {
  switch (error.code) {
    case 'FST_ERR_VALIDATION':
      return new Problem('VALIDATION_ERROR', 'The request does not match the contract.', {
        details: { issues: issuesOf(error) },
      })
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new Problem('VALIDATION_ERROR', 'The body is not well-formed JSON.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('VALIDATION_ERROR', 'The length of the body does not match Content-Length.')
    case 'FST_ERR_BAD_URL':
      return new Problem('VALIDATION_ERROR', 'The path is not a well-formed URL.')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
    default:
      return error.code?.startsWith('FST_') && (error.statusCode ?? 500) < 500
        ? new Problem('VALIDATION_ERROR', 'The request is malformed.')
        : undefined
  }
}

type Validation = Pick<FastifyError, 'validation' | 'validationContext'>

export function issuesOf({ validation = [], validationContext = 'body' }: Validation): Issue[] {
  return validation.slice(0, MAX_ISSUES).map((issue) => ({
    in: validationContext as Issue['in'],
    path: issue.instancePath.slice(0, 500),
    message: messageOf(issue).slice(0, 500),
  }))
}

/** What is wrong, with the name that is not allowed or the values that are. */
function messageOf({ message, params }: { message?: string; params: Record<string, unknown> }): string {
  const { additionalProperty, allowedValues, format } = params
  if (String(format).startsWith('iso-639-1')) return NOT_A_LANGUAGE
  const detail = Array.isArray(allowedValues) ? allowedValues.join(', ') : additionalProperty
  return [message, detail].filter(Boolean).join(': ')
}

export function unknownParameters(names: string[]): Problem {
  const issues = names.slice(0, MAX_ISSUES).map((name): Issue => {
    return { in: 'querystring', path: `/${name}`.slice(0, 500), message: 'is not a parameter of this operation' }
  })
  return new Problem('VALIDATION_ERROR', 'The query has unknown parameters.', { details: { issues } })
}

function fromDatabase(error: NodeJS.ErrnoException): Problem | undefined {
  const code = error.code ?? ''
  const isUnavailable =
    UNAVAILABLE_SQLSTATES.test(code) ||
    UNAVAILABLE_SYSTEM_CODES.includes(code) ||
    UNAVAILABLE_MESSAGES.test(error.message)
  return isUnavailable ? unavailable() : undefined
}

export function unavailable(): Problem {
  return new Problem('SERVICE_UNAVAILABLE', 'The service is unavailable. Try again shortly.', { retryAfter: 2 })
}
