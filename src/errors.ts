import type { components } from '../generated/api.ts'

export type ErrorCode = components['schemas']['ErrorCode']
export type ErrorDetails = components['schemas']['ErrorDetails']
export type ErrorReason = components['schemas']['ErrorReason']
/** Why an article failed. Stored, logged and counted with the job. */
export type FailureReason = Extract<
  ErrorReason,
  'node_lost' | 'deadline' | 'memory' | 'model_window_too_small' | 'canceled_by_operator'
>

/**
 * The HTTP status of each error code. The contract defines the codes; the compiler checks that none is missing here.
 */
export const statusOf = {
  VALIDATION_ERROR: 400,
  UNAUTHENTICATED: 401,
  HOST_TOKEN_INVALID: 401,
  FORBIDDEN: 403,
  HOST_TOKEN_REQUIRED: 403,
  NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  HOST_REPO_NOT_FOUND: 404,
  PULL_REQUEST_NOT_FOUND: 404,
  ARTICLE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  USER_ALREADY_EXISTS: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  GENERATION_FAILED: 422,
  RATE_LIMITED: 429,
  QUOTA_EXCEEDED: 429,
  INTERNAL_SERVER_ERROR: 500,
  HOST_UNAVAILABLE: 502,
  MODEL_UNAVAILABLE: 502,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>

interface ProblemOptions {
  details?: ErrorDetails
  retryAfter?: number | undefined
  /** For the log, never sent to the caller. */
  cause?: unknown
}

/** An error that the contract declares. Its message, code and details are sent to the caller. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfter = options.retryAfter
  }
}

/** Why an account may not act. */
export type AccountReason = Extract<ErrorReason, 'account_blocked' | 'membership_required'>

type ForbiddenReason = Exclude<ErrorReason, FailureReason | AccountReason>

/** FORBIDDEN has several meanings, so it always comes with a reason. */
export function forbidden(reason: ForbiddenReason, message: string, details: ErrorDetails = {}): Problem {
  return new Problem('FORBIDDEN', message, { details: { reason, ...details } })
}
