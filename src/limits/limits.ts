import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../errors.ts'
import { originOf } from '../origin.ts'
import { shortMemory } from '../shortMemory.ts'
import type { Redis } from './redis.ts'

/** What requests are counted by: what it takes to answer them. */
export type Cost = 'reads' | 'writes' | 'host' | 'generation'

/** How many a user may make in a minute, of each kind. */
export type Allowances = Record<Cost, number>

const SECONDS = 60
/** How much more than a user an address may ask for: without a token, and with all the tokens there are behind it. */
const WITHOUT_TOKEN = 5
const ALTOGETHER = 50
const MEMORY_MILLISECONDS = 10 * 60_000
const MOST_REMEMBERED = 100_000

/** How somebody stands with one kind of request. */
export interface Standing {
  limit: number
  remaining: number
  resetSeconds: number
}

export interface Limits {
  /** Counts a request of somebody with this token, or without one; throws where it is one too many. */
  take(cost: Cost, address: string, token: Buffer | undefined): Promise<Standing>
  /** A user's tokens count as one. */
  isOf(token: Buffer, userId: string): void
  close(): Promise<void>
}

export function createLimits(allowances: Allowances, now: () => Date, redis: Redis | undefined): Limits {
  const kinds = Object.fromEntries(
    Object.entries(allowances).map(([cost, points]) => [
      cost,
      {
        user: limiter(`${cost} user`, points, redis),
        nobody: limiter(`${cost} nobody`, points * WITHOUT_TOKEN, redis),
        address: limiter(`${cost} address`, points * ALTOGETHER, redis),
      },
    ]),
  ) as Record<Cost, Record<'user' | 'nobody' | 'address', ReturnType<typeof limiter>>>
  const users = shortMemory<string>(now, MEMORY_MILLISECONDS, MOST_REMEMBERED)
  return {
    async take(cost, address, token) {
      const { user, nobody, address: all } = kinds[cost]
      const origin = originOf(address)
      if (!token) return taken(nobody, origin)
      const key = token.toString('base64url')
      const [own] = await Promise.all([taken(user, users.get(key) ?? key), taken(all, origin)])
      return own
    },
    isOf: (token, userId) => users.set(token.toString('base64url'), userId),
    close: async () => redis?.destroy(),
  }
}

/** Shared by all nodes where there is Redis, and this node's own while that is away. */
function limiter(name: string, points: number, redis: Redis | undefined) {
  const options = { keyPrefix: `pullpress ${name}`, points, duration: SECONDS }
  const own = new RateLimiterMemory(options)
  if (!redis) return own
  return new RateLimiterRedis({ ...options, storeClient: redis, useRedisPackage: true, insuranceLimiter: own })
}

async function taken(limiter: RateLimiterMemory | RateLimiterRedis, key: string): Promise<Standing> {
  try {
    return standing(limiter.points, await limiter.consume(key))
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const { resetSeconds } = standing(limiter.points, refusal)
    throw new Problem('RATE_LIMITED', 'Too many requests of this kind within a minute.', { retryAfter: resetSeconds })
  }
}

function standing(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): Standing {
  return { limit, remaining: Math.max(0, remainingPoints), resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
}
