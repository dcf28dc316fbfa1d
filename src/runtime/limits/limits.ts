import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../../errors.ts'
import { clientNetwork } from '../../lib/clientNetwork.ts'
import { ttlCache } from '../../lib/ttlCache.ts'
import type { Redis } from './redis.ts'

/** Kinds of requests by what they cost us; each has its own rate limit. */
export type Cost = 'reads' | 'search' | 'writes' | 'host' | 'generation'

/** Requests per user and minute, of each kind. */
export type Allowances = Record<Cost, number>

export const WINDOW_SECONDS = 60
/**
 * The limits of an IP address, as multiples of a user's limit: the first for all its requests without a known token,
 * the second for all its requests with known tokens.
 */
const UNKNOWN_TOKEN_FACTOR = 5
const ADDRESS_FACTOR = 50
const OWNER_TTL_MS = 10 * 60_000
const REDIS_TIMEOUT_MS = 200
const SKIP_REDIS_MS = 5000
const MAX_OWNERS = 100_000

export interface RateLimitState {
  cost: Cost
  limit: number
  remaining: number
  resetSeconds: number
}

export interface RateLimits {
  /** Counts a request; throws if it exceeds a limit. */
  take(cost: Cost, address: string, token: Buffer | undefined): Promise<RateLimitState>
  /** What a user has used of each limit in the current minute. */
  used(userId: string): Promise<RateLimitState[]>
  /** Stores the owner of a bearer token: all tokens of a user share one limit. */
  setOwner(token: Buffer, userId: string): void
  /** Forgets the owner of a token that is no longer valid, because its use must not count against that user. */
  forgetOwner(token: Buffer): void
  close(): Promise<void>
}

export class TooManyRequests extends Problem {
  readonly rateLimitState: RateLimitState

  constructor(rateLimitState: RateLimitState) {
    super('RATE_LIMITED', 'Too many requests of this kind within a minute.', {
      retryAfter: rateLimitState.resetSeconds,
    })
    this.rateLimitState = rateLimitState
  }
}

export function createLimits(allowances: Allowances, now: () => Date, redis: Redis | undefined): RateLimits {
  const shared = redis && redisCounting(redis)
  const kinds = Object.fromEntries(
    (Object.entries(allowances) as [Cost, number][]).map(([cost, points]) => [
      cost,
      {
        user: limiter(cost, 'user', points, shared),
        unknown: limiter(cost, 'nobody', points * UNKNOWN_TOKEN_FACTOR, shared),
        address: limiter(cost, 'address', points * ADDRESS_FACTOR, shared),
      },
    ]),
  ) as Record<Cost, Record<'user' | 'unknown' | 'address', Limiter>>
  const owners = ttlCache<string>(now, OWNER_TTL_MS, MAX_OWNERS)
  return {
    async take(cost, address, token) {
      const { user, unknown, address: all } = kinds[cost]
      const origin = clientNetwork(address)
      const userId = token && owners.get(token.toString('base64url'))
      // An unknown token may be made up, so the request counts as one without a token.
      if (userId === undefined) return consume(unknown, origin)
      // The user's limit comes first, so that rejected requests do not use up the limit of the IP address.
      const rateLimitState = await consume(user, userId)
      await consume(all, origin)
      return rateLimitState
    },
    used: (userId) => Promise.all(Object.values(kinds).map(({ user }) => stateOf(user, userId))),
    setOwner: (token, userId) => owners.set(token.toString('base64url'), userId),
    forgetOwner: (token) => owners.delete(token.toString('base64url')),
    close: async () => redis?.destroy(),
  }
}

interface Limiter {
  cost: Cost
  points: number
  consume(key: string): Promise<RateLimiterRes>
  /** Null if nothing was counted in the current minute. */
  get(key: string): Promise<RateLimiterRes | null>
}

type Shared = (limiter: RateLimiterRedis, own: RateLimiterMemory, key: string) => Promise<RateLimiterRes>

/** Counts in Redis. If that takes longer than 200 ms, this node counts alone for 5 seconds. */
function redisCounting(redis: Redis): { redis: Redis; consume: Shared } {
  let skipRedisUntil = 0
  return {
    redis,
    async consume(limiter, own, key) {
      if (performance.now() < skipRedisUntil) return own.consume(key)
      const counting = limiter.consume(key)
      counting.catch(() => {})
      const timeout = Promise.withResolvers<undefined>()
      const timer = setTimeout(() => timeout.resolve(undefined), REDIS_TIMEOUT_MS)
      const counted = await Promise.race([counting, timeout.promise]).finally(() => clearTimeout(timer))
      if (counted) return counted
      skipRedisUntil = performance.now() + SKIP_REDIS_MS
      return own.consume(key)
    },
  }
}

function limiter(cost: Cost, of: string, points: number, shared?: ReturnType<typeof redisCounting>): Limiter {
  const options = { keyPrefix: `pullpress ${cost} ${of}`, points, duration: WINDOW_SECONDS }
  const own = new RateLimiterMemory(options)
  if (!shared) return { cost, points, consume: (key) => own.consume(key), get: (key) => own.get(key) }
  const redis = { storeClient: shared.redis, useRedisPackage: true, insuranceLimiter: own }
  const all = new RateLimiterRedis({ ...options, ...redis })
  const get = (key: string) => all.get(key).catch(() => own.get(key))
  return { cost, points, consume: (key) => shared.consume(all, own, key), get }
}

async function consume(limiter: Limiter, key: string): Promise<RateLimitState> {
  try {
    return rateLimitState(limiter, await limiter.consume(key))
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    throw new TooManyRequests(rateLimitState(limiter, refusal))
  }
}

async function stateOf(limiter: Limiter, key: string): Promise<RateLimitState> {
  const counted = await limiter.get(key)
  const { cost, points: limit } = limiter
  return counted ? rateLimitState(limiter, counted) : { cost, limit, remaining: limit, resetSeconds: WINDOW_SECONDS }
}

function rateLimitState({ cost, points }: Limiter, { remainingPoints, msBeforeNext }: RateLimiterRes): RateLimitState {
  const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return { cost, limit: points, remaining: Math.max(0, remainingPoints), resetSeconds }
}
