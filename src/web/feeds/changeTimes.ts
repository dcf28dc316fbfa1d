import { hash } from 'node:crypto'
import { SECOND_MS } from '../../lib/times.ts'
import { ttlCache } from '../../lib/ttlCache.ts'

/** How long a change time is kept: longer than feed readers wait between two requests. */
const TTL_MS = 7 * 24 * 60 * 60_000
const MAX_FEEDS = 10_000

/**
 * Returns when each feed last changed, as far as this node knows. The dates of the entries do not tell this: likes
 * reorder a feed, and older articles join and leave it.
 */
export function createChangeTimes(now: () => Date): (feed: string, etag: string) => Date {
  const feeds = ttlCache<{ etag: string; second: number }>(now, TTL_MS, MAX_FEEDS)
  return (feed, etag) => {
    // A path may be thousands of characters long.
    const key = hash('sha1', feed, 'base64url')
    const entry = feeds.get(key)
    // HTTP dates have whole seconds. The second of two changes within one second is dated a second later, so that
    // clients notice it.
    const change = Math.max(Math.floor(now().getTime() / SECOND_MS), entry ? entry.second + 1 : 0)
    const second = entry?.etag === etag ? entry.second : change
    feeds.set(key, { etag, second })
    return new Date(second * SECOND_MS)
  }
}
