import { Problem } from '../../errors.ts'
import { Counter } from '../../lib/counter.ts'

/**
 * Event streams per user: more than the windows that a user has open. Each stream costs a query whenever its job
 * progresses.
 */
const MAX_STREAMS = 20

/** Counts the open event streams of each user on this node. */
export interface Streams {
  /** Counts a stream until its client disconnects; throws if the user has too many. */
  count(userId: string, disconnected: AbortSignal): void
}

export function createStreams(): Streams {
  const open = new Counter()
  return {
    count(userId, disconnected) {
      if (disconnected.aborted) return
      if (open.of(userId) >= MAX_STREAMS)
        throw new Problem('RATE_LIMITED', `At most ${MAX_STREAMS} requests may wait for articles at once.`, {
          retryAfter: 5,
        })
      open.add(userId, 1)
      disconnected.addEventListener('abort', () => open.add(userId, -1), { once: true })
    },
  }
}
