import type { components } from '../generated/api.ts'

export type ErrorCode = components['schemas']['ErrorCode']
export type ErrorDetails = components['schemas']['ErrorDetails']

/** Each code has one status. The contract names the codes; the compiler holds this table complete. */
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
  RATE_LIMITED: 429,
  QUOTA_EXCEEDED: 429,
  INTERNAL_SERVER_ERROR: 500,
  HOST_UNAVAILABLE: 502,
  MODEL_UNAVAILABLE: 502,
  GENERATION_FAILED: 502,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>

interface More {
  details?: ErrorDetails
  retryAfter?: number | undefined
  /** What went wrong underneath: for the log, never for the caller. */
  cause?: unknown
}

/** A failure the contract knows: what the caller is told. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, more: More = {}) {
    super(message, { cause: more.cause })
    this.code = code
    this.details = more.details
    this.retryAfter = more.retryAfter
  }
}
