import { createClient } from '@redis/client'
import type { Secret } from '../../lib/secret.ts'
import { SECOND_MS } from '../../lib/times.ts'

export type Redis = ReturnType<typeof openRedis>

/** Commands fail at once while Redis is unavailable. */
export function openRedis(url: Secret, onError: (error: Error) => void) {
  const client = createClient({
    url: url.reveal(),
    disableOfflineQueue: true,
    commandOptions: { timeout: SECOND_MS },
    // Commands that were sent have no timeout while the connection seems up, so their number is limited.
    commandsQueueMaxLength: 1000,
    socket: { connectTimeout: 2 * SECOND_MS, reconnectStrategy: (tries) => Math.min(tries * 100, 5 * SECOND_MS) },
  })
  client.on('error', onError)
  client.connect().catch(onError)
  return client
}
