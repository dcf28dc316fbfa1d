import { Problem } from '../errors.ts'

/** More than anybody has windows open; each costs a query whenever its job gets on. */
const MAX_OPEN = 20

/** The event streams that are open on this node, by user. */
export interface Streams {
  /** Counts one more until whoever reads it has left; refuses where there are too many. */
  count(userId: string, left: AbortSignal): void
}

export function createStreams(): Streams {
  const counts = new Map<string, number>()
  const add = (userId: string, change: number) => {
    const count = (counts.get(userId) ?? 0) + change
    if (count > 0) counts.set(userId, count)
    else counts.delete(userId)
  }
  return {
    count(userId, left) {
      if (left.aborted) return
      if ((counts.get(userId) ?? 0) >= MAX_OPEN)
        throw new Problem('RATE_LIMITED', `No more than ${MAX_OPEN} streams at once.`, { retryAfter: 5 })
      add(userId, 1)
      left.addEventListener('abort', () => add(userId, -1), { once: true })
    },
  }
}
