import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../errors.ts'
import { clientNetwork } from '../lib/clientNetwork.ts'
import { ttlCache } from '../lib/ttlCache.ts'
import type { Redis } from './redis.ts'

/** What requests are counted by: what it takes to answer them. */
export type Cost = 'reads' | 'writes' | 'host' | 'generation'

/** How many a user may make in a minute, of each kind. */
export type Allowances = Record<Cost, number>

const SECONDS = 60
/** How much more than a user an address may ask for: without a token, and with all the tokens there are behind it. */
const WITHOUT_TOKEN = 5
const ALTOGETHER = 50
const MEMORY_MS = 10 * 60_000
const REDIS_TIMEOUT_MS = 200
const LEFT_ALONE_MS = 5000
const MAX_REMEMBERED = 100_000

/** How somebody stands with one kind of request. */
export interface RateLimitState {
  limit: number
  remaining: number
  resetSeconds: number
}

export interface RateLimits {
  /** Counts a request of somebody with this token, or without one; throws where it is one too many. */
  take(cost: Cost, address: string, token: Buffer | undefined): Promise<RateLimitState>
  /** A user's tokens count as one. */
  isOf(token: Buffer, userId: string): void
  /** A token that is good no more: what it is used for is not its former user's doing. */
  isUnowned(token: Buffer): void
  close(): Promise<void>
}

/** One request too many. */
export class TooMany extends Problem {
  readonly rateLimitState: RateLimitState

  constructor(rateLimitState: RateLimitState) {
    super('RATE_LIMITED', 'Too many requests of this kind within a minute.', {
      retryAfter: rateLimitState.resetSeconds,
    })
    this.rateLimitState = rateLimitState
  }
}

export function createLimits(allowances: Allowances, now: () => Date, redis: Redis | undefined): RateLimits {
  const shared = redis && sharedBy(redis)
  const kinds = Object.fromEntries(
    Object.entries(allowances).map(([cost, points]) => [
      cost,
      {
        user: limiter(`${cost} user`, points, shared),
        nobody: limiter(`${cost} nobody`, points * WITHOUT_TOKEN, shared),
        address: limiter(`${cost} address`, points * ALTOGETHER, shared),
      },
    ]),
  ) as Record<Cost, Record<'user' | 'nobody' | 'address', Limiter>>
  const users = ttlCache<string>(now, MEMORY_MS, MAX_REMEMBERED)
  return {
    async take(cost, address, token) {
      const { user, nobody, address: all } = kinds[cost]
      const origin = clientNetwork(address)
      const userId = token && users.get(token.toString('base64url'))
      // A token of which nothing is known yet may be anything: it counts as none.
      if (userId === undefined) return taken(nobody, origin)
      // What a user is refused is not taken from all who share the address.
      const rateLimitState = await taken(user, userId)
      await taken(all, origin)
      return rateLimitState
    },
    isOf: (token, userId) => users.set(token.toString('base64url'), userId),
    isUnowned: (token) => users.delete(token.toString('base64url')),
    close: async () => redis?.destroy(),
  }
}

interface Limiter {
  points: number
  consume(key: string): Promise<RateLimiterRes>
}

type Shared = (limiter: RateLimiterRedis, own: RateLimiterMemory, key: string) => Promise<RateLimiterRes>

/** Redis is not waited for: one that is late is left alone for a while, and this node counts by itself. */
function sharedBy(redis: Redis): { redis: Redis; consume: Shared } {
  let leftAloneUntil = 0
  return {
    redis,
    async consume(limiter, own, key) {
      if (performance.now() < leftAloneUntil) return own.consume(key)
      const counting = limiter.consume(key)
      counting.catch(() => {})
      const late = Promise.withResolvers<undefined>()
      const patience = setTimeout(() => late.resolve(undefined), REDIS_TIMEOUT_MS)
      const counted = await Promise.race([counting, late.promise]).finally(() => clearTimeout(patience))
      if (counted) return counted
      leftAloneUntil = performance.now() + LEFT_ALONE_MS
      return own.consume(key)
    },
  }
}

function limiter(name: string, points: number, shared: ReturnType<typeof sharedBy> | undefined): Limiter {
  const options = { keyPrefix: `pullpress ${name}`, points, duration: SECONDS }
  const own = new RateLimiterMemory(options)
  if (!shared) return own
  const redis = { storeClient: shared.redis, useRedisPackage: true, insuranceLimiter: own }
  const all = new RateLimiterRedis({ ...options, ...redis })
  return { points, consume: (key) => shared.consume(all, own, key) }
}

async function taken(limiter: Limiter, key: string): Promise<RateLimitState> {
  try {
    return rateLimitState(limiter.points, await limiter.consume(key))
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    throw new TooMany(rateLimitState(limiter.points, refusal))
  }
}

function rateLimitState(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): RateLimitState {
  return { limit, remaining: Math.max(0, remainingPoints), resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
}
