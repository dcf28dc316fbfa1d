import { HostRateLimited, HostUnavailable } from '../../host/errors.ts'
import { singleFlight } from '../../lib/singleFlight.ts'
import { HOUR_MS } from '../../lib/times.ts'
import { ttlCache } from '../../lib/ttlCache.ts'
import { AnonymousCheckRefused } from './askAsService.ts'

/**
 * The limit of anonymous calls about names that users choose. The code host allows 60 anonymous calls an hour; the
 * others are for checks of stored repositories.
 */
const MAX_ANONYMOUS_PER_HOUR = 30
const NOT_PUBLIC_TTL_MS = 10 * 60_000
const MAX_NAMES = 10_000

/**
 * Returns the id of a repository if the service finds that it is public. `countAnonymous` is called before an anonymous
 * call.
 */
type Ask = (countAnonymous: () => void) => Promise<number | undefined>

class NoAnonymousCallsLeft extends Error {}

/**
 * Asks about repositories by names that users choose: once at a time for each name, and not again for ten minutes if
 * the repository is not public. Undefined also if the code host does not say whether it is.
 */
export function createPublicNames(now: () => Date): (name: string, ask: Ask) => Promise<number | undefined> {
  const running = singleFlight<number | undefined>()
  const notPublic = ttlCache<true>(now, NOT_PUBLIC_TTL_MS, MAX_NAMES)
  let hour = 0
  let calls = 0

  function countAnonymous(): void {
    const current = Math.floor(now().getTime() / HOUR_MS)
    if (current !== hour) [hour, calls] = [current, 0]
    if (calls >= MAX_ANONYMOUS_PER_HOUR) throw new NoAnonymousCallsLeft()
    calls += 1
  }

  return (name, ask) =>
    running(name, async () => {
      if (notPublic.get(name)) return undefined
      try {
        const hostRepoId = await ask(countAnonymous)
        if (hostRepoId === undefined) notPublic.set(name, true)
        return hostRepoId
      } catch (error) {
        if (isUnanswered(error)) return undefined
        throw error
      }
    })
}

function isUnanswered(error: unknown): boolean {
  return [NoAnonymousCallsLeft, AnonymousCheckRefused, HostRateLimited, HostUnavailable].some(
    (kind) => error instanceof kind,
  )
}
