import { createClient } from '@redis/client'
import type { Secret } from '../lib/secret.ts'

const SECOND = 1000

export type Redis = ReturnType<typeof openRedis>

/** Never waited for: while it is away, whoever asks it is told so at once. */
export function openRedis(url: Secret, onError: (error: Error) => void) {
  const client = createClient({
    url: url.reveal(),
    disableOfflineQueue: true,
    commandOptions: { timeout: SECOND },
    // What was sent is waited for as long as the connection seems to stand.
    commandsQueueMaxLength: 1000,
    socket: { connectTimeout: 2 * SECOND, reconnectStrategy: (tries) => Math.min(tries * 100, 5 * SECOND) },
  })
  client.on('error', onError)
  client.connect().catch(onError)
  return client
}
