import { createClient } from '@redis/client'
import type { Config } from '../config/config.ts'
import { type Finding, messageOf } from './finding.ts'

const part = 'Redis'

export async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (!redisUrl) return []
  const client = createClient({ url: redisUrl.reveal(), socket: { connectTimeout: 2000, reconnectStrategy: false } })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
    return [{ part, state: 'ok', found: 'Redis answers.' }]
  } catch (error) {
    const remedy = 'Correct REDIS_URL. Until then, each node counts requests on its own.'
    return [{ part, state: 'broken', found: messageOf(error), remedy }]
  } finally {
    client.destroy()
  }
}
