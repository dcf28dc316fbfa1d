import { addAbortListener } from 'node:events'

export interface AbortLimits {
  milliseconds?: number | undefined
  signals?: AbortSignal[]
}

/**
 * Does work under a signal of its own, which tells when to give it up: after a time, or when one of other signals says so.
 * What is still under way in it when it ends is given up too. Signals that `AbortSignal.any` makes of others would stay in
 * memory for as long as those.
 */
export async function abortable<T>(
  { milliseconds, signals = [] }: AbortLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const late = () => own.abort(new DOMException('It took too long.', 'TimeoutError'))
  const timer = milliseconds === undefined ? undefined : setTimeout(late, milliseconds)
  // Those would be heard only after the work has begun.
  const former = signals.find(({ aborted }) => aborted)
  if (former) own.abort(former.reason)
  const heeded = signals.map((signal) => addAbortListener(signal, () => own.abort(signal.reason)))
  try {
    return await work(own.signal)
  } finally {
    own.abort()
    clearTimeout(timer)
    for (const one of heeded) one[Symbol.dispose]()
  }
}
