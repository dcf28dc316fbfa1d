import { Problem } from '../../errors.ts'
import { Counter } from '../../lib/counter.ts'

interface Options {
  atOnce: number
  /** How many slots one client may hold; by default all. */
  perClient?: number
  /** How many requests of one client may wait for a slot. Further ones are refused at once. */
  maxWaiting: number
  /** After how long a waiting request is refused; by default never. */
  maxWaitMs?: number
}

type Release = () => void

interface Waiting {
  client: string
  admit(release: Release): void
}

/** Limits how much work of a kind a node does at once, in all and for each client. Further work waits in order. */
export interface Slots {
  /** Waits for a slot. Returns the function that releases it. Rejects if `left` aborts first. */
  take(client?: string, left?: AbortSignal): Promise<Release>
}

export function createSlots({ atOnce, perClient = atOnce, maxWaiting, maxWaitMs }: Options): Slots {
  const held = new Counter()
  const queue = new Set<Waiting>()
  const queued = new Counter()
  const isFree = (client: string) => held.total < atOnce && held.of(client) < perClient
  function hold(client: string): Release {
    held.add(client, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      held.add(client, -1)
      const next = queue.values().find((waiting) => isFree(waiting.client))
      if (next && leave(next)) next.admit(hold(next.client))
    }
  }
  function leave(waiting: Waiting): boolean {
    if (!queue.delete(waiting)) return false
    queued.add(waiting.client, -1)
    return true
  }
  return {
    async take(client = '', left) {
      left?.throwIfAborted()
      if (isFree(client)) return hold(client)
      if (queued.of(client) >= maxWaiting) throw tooManyWait()
      const { promise, resolve: admit, reject } = Promise.withResolvers<Release>()
      const waiting = { client, admit }
      queue.add(waiting)
      queued.add(client, 1)
      const refuse = (reason: unknown) => void (leave(waiting) && reject(reason))
      const onLeft = () => refuse(left?.reason)
      left?.addEventListener('abort', onLeft)
      const timer = maxWaitMs === undefined ? undefined : setTimeout(() => refuse(tooManyWait()), maxWaitMs)
      return promise.finally(() => {
        clearTimeout(timer)
        left?.removeEventListener('abort', onLeft)
      })
    },
  }
}

/** Does background work in a slot. */
export async function inSlot<T>(slots: Slots, work: () => Promise<T>): Promise<T> {
  const release = await slots.take()
  try {
    return await work()
  } finally {
    release()
  }
}

export function tooManyWait(): Problem {
  const message = 'Too many requests of this kind are waiting. Try again shortly.'
  return new Problem('SERVICE_UNAVAILABLE', message, { retryAfter: 2 })
}
