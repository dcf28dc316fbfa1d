import { Problem } from '../errors.ts'

/** More than anybody has windows open; each costs a query whenever its job gets on. */
const MOST_OPEN = 20

/** The event streams that are open on this node, by user. */
export interface Streams {
  requireRoom(userId: string): void
  /** Counts a stream for as long as it is read. */
  counted<T>(userId: string, events: AsyncGenerator<T>): AsyncGenerator<T>
}

export function createStreams(): Streams {
  const open = new Map<string, number>()
  const add = (userId: string, change: number) => {
    const count = (open.get(userId) ?? 0) + change
    if (count > 0) open.set(userId, count)
    else open.delete(userId)
  }
  return {
    requireRoom(userId) {
      if ((open.get(userId) ?? 0) >= MOST_OPEN)
        throw new Problem('RATE_LIMITED', `No more than ${MOST_OPEN} streams at once.`, { retryAfter: 5 })
    },
    async *counted(userId, events) {
      add(userId, 1)
      try {
        yield* events
      } finally {
        add(userId, -1)
      }
    },
  }
}
