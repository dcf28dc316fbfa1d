import { Problem } from '../../errors.ts'
import { HostRateLimited, HostUnavailable } from '../../host/errors.ts'
import { clientNetwork } from '../../lib/clientNetwork.ts'
import { Counter } from '../../lib/counter.ts'
import { singleFlight } from '../../lib/singleFlight.ts'

const WINDOW_MS = 60_000
const MAX_FROM_ONE_ADDRESS = 60
const MAX_OVERALL = 600
/**
 * Between MAX_OVERALL and this limit, each client network still gets one check, so that a few networks with many bad
 * tokens do not lock out the rest.
 */
const MAX_OVERALL_WITH_RESERVE = 1200

type Check<T> = (token: string, address: string, verify: () => Promise<T | null>) => Promise<T | null>

/**
 * Checks unknown tokens without letting strangers flood the issuer with requests: one check at a time per token, refusals
 * (`null`) are remembered for a minute, and too many of them stop further checks in that minute. Valid tokens never count.
 * A token for which the code host was unavailable counts, but may be tried again.
 */
export function boundedChecks<T>(now: () => Date): Check<T> {
  const oneCheckPerToken = singleFlight<T | null>()
  /** The failed checks: one entry for each token, ordered by the time of its last failure. */
  const failures = new Map<string, { at: number; origin: string; refused: boolean }>()
  const failuresFrom = new Counter()
  const checkingFrom = new Counter()
  let settlement = Promise.withResolvers<void>()

  function forget(token: string): void {
    const entry = failures.get(token)
    if (entry && failures.delete(token)) failuresFrom.add(entry.origin, -1)
  }

  function forgetExpired(): void {
    const oldest = now().getTime() - WINDOW_MS
    for (const [token, { at }] of failures) {
      if (at > oldest) return
      forget(token)
    }
  }

  function addFailure(token: string, origin: string, refused: boolean): void {
    forget(token)
    failures.set(token, { at: now().getTime(), origin, refused })
    failuresFrom.add(origin, 1)
  }

  function throwIfLimited(origin: string): void {
    if (hasRoom(failuresFrom.of(origin), failures.size)) return
    const wait = timeOfRoom(origin) - now().getTime()
    throw new Problem('RATE_LIMITED', 'Too many tokens were refused. Try again later.', {
      retryAfter: Math.max(1, Math.ceil(wait / 1000)),
    })
  }

  /** The time at which enough of the oldest failures will have expired to allow another check. */
  function timeOfRoom(origin: string): number {
    let [here, overall] = [failuresFrom.of(origin), failures.size]
    for (const entry of failures.values()) {
      overall -= 1
      if (entry.origin === origin) here -= 1
      if (hasRoom(here, overall)) return entry.at + WINDOW_MS
    }
    return 0
  }

  /**
   * Takes a slot for a check. A check in progress may fail, so it counts as failed until its result is known. If no slot
   * is free, waits until another check ends.
   */
  async function takeSlot(origin: string): Promise<void> {
    for (;;) {
      forgetExpired()
      throwIfLimited(origin)
      const here = failuresFrom.of(origin) + checkingFrom.of(origin)
      if (hasRoom(here, failures.size + checkingFrom.total)) break
      await settlement.promise
    }
    checkingFrom.add(origin, 1)
  }

  function releaseSlot(origin: string): void {
    checkingFrom.add(origin, -1)
    settlement.resolve()
    settlement = Promise.withResolvers()
  }

  return (token, address, verify) =>
    oneCheckPerToken(token, async () => {
      forgetExpired()
      if (failures.get(token)?.refused) return null
      const origin = clientNetwork(address)
      await takeSlot(origin)
      try {
        const identity = await verify()
        if (identity === null) addFailure(token, origin, true)
        return identity
      } catch (error) {
        if (error instanceof HostUnavailable || error instanceof HostRateLimited) addFailure(token, origin, false)
        throw error
      } finally {
        releaseSlot(origin)
      }
    })
}

function hasRoom(here: number, overall: number): boolean {
  if (overall < MAX_OVERALL) return here < MAX_FROM_ONE_ADDRESS
  return here === 0 && overall < MAX_OVERALL_WITH_RESERVE
}
