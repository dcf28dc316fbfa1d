import { Problem } from '../errors.ts'
import { HostRateLimited, HostUnavailable } from '../host/errors.ts'
import { clientNetwork } from '../lib/clientNetwork.ts'
import { singleFlight } from '../lib/singleFlight.ts'

const MEMORY_MS = 60_000
const MAX_FROM_ONE_ADDRESS = 60
const MAX_OVERALL = 600
/** Between the two, each address has one check, so that a few that send many bad tokens do not lock out the rest. */
const MAX_OVERALL_WITH_RESERVE = 1200

type Check<T> = (token: string, address: string, verify: () => Promise<T | null>) => Promise<T | null>

/**
 * Checks tokens nobody has seen before, without letting a stranger make us hammer whoever verifies them: one check at
 * a time per token, refusals (`null`) remembered for a minute, and past a number of tokens refused no more checks in
 * that minute. Tokens that verify never count. One the code host failed on counts too, but may try again.
 */
export function boundedChecks<T>(now: () => Date): Check<T> {
  const fly = singleFlight<T | null>()
  /** Each token once, by the time it was last refused or failed on. */
  const spent = new Map<string, { at: number; origin: string; refused: boolean }>()
  const spentFrom = new Counter()
  const checkingFrom = new Counter()
  let settlement = Promise.withResolvers<void>()

  function forget(token: string): void {
    const entry = spent.get(token)
    if (entry && spent.delete(token)) spentFrom.add(entry.origin, -1)
  }

  function forgetOld(): void {
    const oldest = now().getTime() - MEMORY_MS
    for (const [token, { at }] of spent) {
      if (at > oldest) return
      forget(token)
    }
  }

  function spend(token: string, origin: string, refused: boolean): void {
    forget(token)
    spent.set(token, { at: now().getTime(), origin, refused })
    spentFrom.add(origin, 1)
  }

  function throwIfSpent(origin: string): void {
    if (hasRoom(spentFrom.of(origin), spent.size)) return
    const wait = roomFrom(origin) - now().getTime()
    throw new Problem('RATE_LIMITED', 'Too many tokens were refused. Try again later.', {
      retryAfter: Math.max(1, Math.ceil(wait / 1000)),
    })
  }

  /** When enough entries, oldest first, will have expired. */
  function roomFrom(origin: string): number {
    let [here, overall] = [spentFrom.of(origin), spent.size]
    for (const entry of spent.values()) {
      overall -= 1
      if (entry.origin === origin) here -= 1
      if (hasRoom(here, overall)) return entry.at + MEMORY_MS
    }
    return 0
  }

  /** Checks under way may all end in refusals, so they hold a place; whoever finds none waits for one to settle. */
  async function takePlace(origin: string): Promise<void> {
    for (;;) {
      forgetOld()
      throwIfSpent(origin)
      const here = spentFrom.of(origin) + checkingFrom.of(origin)
      if (hasRoom(here, spent.size + checkingFrom.total)) break
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
      if (spent.get(token)?.refused) return null
      const origin = clientNetwork(address)
      await takePlace(origin)
      try {
        const proof = await verify()
        if (proof === null) spend(token, origin, true)
        return proof
      } catch (error) {
        if (error instanceof HostUnavailable || error instanceof HostRateLimited) spend(token, origin, false)
        throw error
      } finally {
        leavePlace(origin)
      }
    })
}

function hasRoom(here: number, overall: number): boolean {
  if (overall < MAX_OVERALL) return here < MAX_FROM_ONE_ADDRESS
  return here === 0 && overall < MAX_OVERALL_WITH_RESERVE
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
