/** Who calls the code host, and how long an answer is of use: until a time (by `performance.now()`) or a signal. */
export interface Caller {
  token: string | undefined
  until?: number
  signal?: AbortSignal
}

export function asCaller({ token, until, signal }: Caller) {
  const limits = [
    ...(until === undefined ? [] : [AbortSignal.timeout(Math.max(0, Math.ceil(until - performance.now())))]),
    ...(signal ? [signal] : []),
  ]
  return {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(limits.length > 0 && { request: { signal: AbortSignal.any(limits) } }),
  }
}
