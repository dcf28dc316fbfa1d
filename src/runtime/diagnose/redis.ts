import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import type { Config } from '../config/config.ts'
import { type Finding, messageOf } from './finding.ts'

const part = 'Redis'
const TIMEOUT_MS = 5000

export async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (!redisUrl) return []
  const client = createClient({ url: redisUrl.reveal(), socket: { connectTimeout: 2000, reconnectStrategy: false } })
  client.on('error', () => {})
  const timeout = sleep(TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`Redis did not answer within ${TIMEOUT_MS / 1000} s.`)
  })
  try {
    await Promise.race([client.connect().then(() => client.ping()), timeout])
    return [{ part, state: 'ok', found: 'Redis answers.' }]
  } catch (error) {
    const remedy = 'Correct REDIS_URL. Until then, each node counts requests on its own.'
    return [{ part, state: 'broken', found: messageOf(error), remedy }]
  } finally {
    client.destroy()
  }
}
