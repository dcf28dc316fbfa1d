import type { Limits } from '../lib/abortable.ts'

/** Who calls the code host, and how long an answer is of use: until a time (by `performance.now()`) or a signal. */
export type Caller = { token: string | undefined } & (
  | { until?: number; signal?: never }
  | { until?: never; signal: AbortSignal }
)

export function asCaller({ token, until, signal }: Caller) {
  const limit = until === undefined ? signal : AbortSignal.timeout(millisecondsUntil(until))
  return {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(limit && { request: { signal: limit } }),
  }
}

/** The same for all calls that together make an answer. */
export function limitsOf({ until, signal }: Caller): Limits {
  return until === undefined ? { signals: signal ? [signal] : [] } : { milliseconds: millisecondsUntil(until) }
}

function millisecondsUntil(time: number): number {
  return Math.max(0, Math.ceil(time - performance.now()))
}
