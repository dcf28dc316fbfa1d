import type { NewestTexts } from './db/search/searchRanges.ts'
import { type TtlCache, ttlCache } from './lib/ttlCache.ts'
import { createPrecedence, type Precedence } from './limits/precedence.ts'
import { createTurns, type Turns } from './limits/turns.ts'

const MINUTE_MS = 60_000
const MAX_NEWEST_TEXTS = 100
/** A third of the database connections: the others are left to other requests. */
const SEARCHES = { atOnce: 3, maxWaiting: 200 }
/** Bursts of webhook deliveries must leave connections of the database, and calls to the code host, to others. */
const HINTS = { atOnce: 3, maxWaiting: 5000 }
const HINTED_CHECKS = { atOnce: 3, maxWaiting: 10_000, maxBusyMs: 1000 }

/** What requests of a node share, so that the same work is done once or not too often. */
export interface Gates {
  searches: Turns
  /** Of other requests over searches and messages of MCP clients, which take longer. */
  precedence: Precedence
  /** Of all texts, or of those before a time. */
  newestTexts: TtlCache<NewestTexts>
  hintedChecksAtOnce: Turns
  /** Webhook deliveries that change when a repository is checked. */
  hints: Turns
}

export function createGates(now: () => Date): Gates {
  return {
    searches: createTurns(SEARCHES),
    precedence: createPrecedence(),
    newestTexts: ttlCache(now, MINUTE_MS, MAX_NEWEST_TEXTS),
    hintedChecksAtOnce: createTurns(HINTED_CHECKS),
    hints: createTurns(HINTS),
  }
}
