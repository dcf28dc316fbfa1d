import { Problem } from '../errors.ts'

/** The model answered, and what it answered cannot be used. */
export class BadAnswer extends Error {}

export function generationFailed(cause?: unknown): Problem {
  return new Problem('GENERATION_FAILED', 'The model gave no article that holds against the diff.', { cause })
}

export function modelUnavailable(retryAfter = 30, cause?: unknown): Problem {
  return new Problem('MODEL_UNAVAILABLE', 'The model is not available.', { retryAfter, cause })
}

export function untilTomorrow(now: Date): number {
  const tomorrow = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.max(1, Math.ceil((tomorrow - now.getTime()) / 1000))
}

export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}
