import ipaddr from 'ipaddr.js'
import { Problem } from '../errors.ts'
import { singleFlight } from '../singleFlight.ts'

const MEMORY_MILLISECONDS = 60_000
const MOST_FROM_ONE_ADDRESS = 60
const MOST_OVERALL = 600

type Check<T> = (token: string, address: string, verify: () => Promise<T | null>) => Promise<T | null>

/**
 * Checks tokens nobody has seen before, without letting a stranger make us hammer whoever verifies them: one check at
 * a time per token, refusals remembered for a minute, and past a number of refusals no more checks in that minute.
 * Tokens that verify never count. `null` is a refusal; a check that fails counts as one, but its token may try again.
 */
export function boundedChecks<T>(now: () => Date): Check<T> {
  const fly = singleFlight<T | null>()
  const refusals: { at: number; origin: string; token: string }[] = []
  const refusedTokens = new Set<string>()
  const refusedFrom = new Counter()
  const checkingFrom = new Counter()
  let settlement = Promise.withResolvers<void>()

  function forgetOld(): void {
    const oldest = now().getTime() - MEMORY_MILLISECONDS
    for (let first = refusals[0]; first && first.at <= oldest; first = refusals[0]) {
      refusals.shift()
      refusedTokens.delete(first.token)
      refusedFrom.add(first.origin, -1)
    }
  }

  function throwIfSpent(origin: string): void {
    const spentHere = refusedFrom.of(origin) >= MOST_FROM_ONE_ADDRESS
    if (!spentHere && refusals.length < MOST_OVERALL) return
    const oldest = refusals.find((refusal) => !spentHere || refusal.origin === origin)
    const wait = (oldest?.at ?? 0) + MEMORY_MILLISECONDS - now().getTime()
    throw new Problem('RATE_LIMITED', 'Too many tokens were refused. Try again later.', {
      retryAfter: Math.max(1, Math.ceil(wait / 1000)),
    })
  }

  /** Checks under way may all end in refusals, so they hold a place; whoever finds none waits for one to settle. */
  async function takePlace(origin: string): Promise<void> {
    for (;;) {
      forgetOld()
      throwIfSpent(origin)
      const roomHere = refusedFrom.of(origin) + checkingFrom.of(origin) < MOST_FROM_ONE_ADDRESS
      if (roomHere && refusals.length + checkingFrom.total < MOST_OVERALL) break
      await settlement.promise
    }
    checkingFrom.add(origin, 1)
  }

  function leavePlace(origin: string): void {
    checkingFrom.add(origin, -1)
    settlement.resolve()
    settlement = Promise.withResolvers()
  }

  return (token, address, verify) =>
    fly(token, async () => {
      forgetOld()
      if (refusedTokens.has(token)) return null
      const origin = originOf(address)
      await takePlace(origin)
      let proof: T | null = null
      try {
        proof = await verify()
        if (proof === null) refusedTokens.add(token)
        return proof
      } finally {
        if (proof === null) {
          refusals.push({ at: now().getTime(), origin, token })
          refusedFrom.add(origin, 1)
        }
        leavePlace(origin)
      }
    })
}

/** One subscriber holds a whole /64 of IPv6 addresses. */
function originOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip.kind() === 'ipv6' ? ip.toByteArray().slice(0, 8).join('.') : ip.toString()
}

class Counter {
  readonly #counts = new Map<string, number>()
  total = 0

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, amount: number): void {
    const count = this.of(key) + amount
    this.total += amount
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}
