import type { FastifyReply } from 'fastify'
import { clientNetwork } from '../../lib/clientNetwork.ts'
import { perContext } from '../../lib/perContext.ts'
import { createSlots, type Slots } from '../../runtime/limits/slots.ts'
import { CUT_OFF } from './sendErrors.ts'

/** How long a request may wait for a slot: as long as the `Retry-After` of a rejection. */
const MAX_WAIT_MS = 2000
/** Limits of concurrent searches, which leave two thirds of the database connections to other requests. */
const SEARCHES = { atOnce: 3, perClient: 2, maxWaiting: 100, maxWaitMs: MAX_WAIT_MS }
/** Limits of concurrent MCP messages. Each takes more CPU time than an API request, and must not delay API requests. */
const MESSAGES = { atOnce: 4, perClient: 2, maxWaiting: 200, maxWaitMs: MAX_WAIT_MS }

export const slotsOf = perContext(() => ({ searches: createSlots(SEARCHES), messages: createSlots(MESSAGES) }))

/** Does the work of a request in a slot. A client that disconnects while it waits gives up its place in the queue. */
export async function inRequestSlot<T>(
  slots: Slots,
  { request, raw }: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  const left = new AbortController()
  const leave = () => left.abort(CUT_OFF)
  if (raw.destroyed) leave()
  raw.once('close', leave)
  const release = await slots.take(clientNetwork(request.ip), left.signal)
  raw.off('close', leave)
  try {
    return await work()
  } finally {
    release()
  }
}
