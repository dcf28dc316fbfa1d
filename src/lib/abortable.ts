import { addAbortListener } from 'node:events'

/** Shared, because creating an error for every call would cost more than the rest of this file. */
const ENDED = new DOMException('The work has ended.', 'AbortError')

export interface AbortLimits {
  milliseconds?: number | undefined
  signals?: AbortSignal[]
}

/**
 * Runs work with a signal that aborts after a timeout or with any of the given signals. The signal also aborts when the
 * work ends, which cancels everything that the work has left running. Unlike `AbortSignal.any`, this leaves nothing in
 * memory while the given signals live on.
 */
export async function abortable<T>(
  { milliseconds, signals = [] }: AbortLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const onTimeout = () => own.abort(new DOMException('The operation timed out.', 'TimeoutError'))
  const timer = milliseconds === undefined ? undefined : setTimeout(onTimeout, milliseconds)
  // If a signal has already aborted, addAbortListener calls its listener only after the work has begun.
  const alreadyAborted = signals.find(({ aborted }) => aborted)
  if (alreadyAborted) own.abort(alreadyAborted.reason)
  const listeners = signals.map((signal) => addAbortListener(signal, () => own.abort(signal.reason)))
  try {
    return await work(own.signal)
  } finally {
    own.abort(ENDED)
    clearTimeout(timer)
    for (const listener of listeners) listener[Symbol.dispose]()
  }
}
