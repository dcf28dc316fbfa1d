import { type FailureReason, Problem } from '../errors.ts'

/** The answer of the model is unusable. The message is for clients, `errors` are for the log. */
export class BadAnswer extends Error {
  readonly errors: string[]

  constructor(reason: string, errors: string[] = []) {
    super(reason)
    this.errors = errors
  }
}

/** The error that fails a job without a retry. */
export function generationFailed(message: string, { cause, reason }: { cause?: unknown; reason?: FailureReason } = {}) {
  return new Problem('GENERATION_FAILED', message, { cause, ...(reason && { details: { reason } }) })
}

export function modelUnavailable(retryAfter = 30, cause?: unknown): Problem {
  return new Problem('MODEL_UNAVAILABLE', 'The model is not available.', { retryAfter, cause })
}
