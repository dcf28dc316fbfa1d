import type { AbortLimits } from '../lib/abortable.ts'

/** Sent with every call, so that the response keeps the format that this code reads. */
const VERSION_HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

/** The token for a call, and the deadline of the call: a time (by `performance.now()`) or a signal. */
export type HostCredential = { token: string | undefined } & (
  | { until?: number; signal?: never }
  | { until?: never; signal: AbortSignal }
)

export function requestOptions({ token, until, signal }: HostCredential) {
  const limit = until === undefined ? signal : AbortSignal.timeout(millisecondsUntil(until))
  return {
    headers: { ...VERSION_HEADERS, ...(token && { authorization: `Bearer ${token}` }) },
    ...(limit && { request: { signal: limit } }),
  }
}

/** The deadline for several calls together. */
export function limitsOf({ until, signal }: HostCredential): AbortLimits {
  return until === undefined ? { signals: signal ? [signal] : [] } : { milliseconds: millisecondsUntil(until) }
}

function millisecondsUntil(time: number): number {
  return Math.max(0, Math.ceil(time - performance.now()))
}
