import type { Kysely } from 'kysely'
import type { components } from '../generated/api.ts'
import type { Recheck } from './accounts/authenticate.ts'
import type { Proof } from './accounts/bearer.ts'
import { boundedChecks } from './accounts/boundedChecks.ts'
import type { Schema } from './db/schema/schema.ts'
import type { NewestTexts } from './db/search/searchRanges.ts'
import type { ErrorCode } from './errors.ts'
import type { HostSearch, HostUser } from './host/codeHost.ts'
import { createWithLease, type WithLease } from './jobs/withLease.ts'
import { singleFlight, trailingFlight } from './lib/singleFlight.ts'
import { type TtlCache, ttlCache } from './lib/ttlCache.ts'
import { createPrecedence, type Precedence } from './limits/precedence.ts'
import { createTurns, type Turns } from './limits/turns.ts'
import { createPublicNames } from './repositories/publicNames.ts'
import { type BodyBudget, createBodyBudget } from './webhooks/bodyBudget.ts'

const MINUTE_MS = 60_000
const MAX_MISSED_LISTS = 10_000
const MAX_HOST_SEARCHES = 500
const FORBIDDEN_ACCESS_MS = 5 * MINUTE_MS
const MAX_FORBIDDEN_ACCESS = 10_000
const MAX_NEWEST_TEXTS = 100
/** A third of the database connections: the others are left to other requests. */
const SEARCHES = { atOnce: 3, maxWaiting: 200 }
/** Bursts of webhook deliveries must leave connections of the database, and calls to the code host, to others. */
const HINTS = { atOnce: 3, maxWaiting: 5000 }
const HINTED_CHECKS = { atOnce: 3, maxWaiting: 10_000, maxBusyMs: 1000 }

type Check = { state: 'up' | 'down' }

/** Whether each dependency of a node is up, and if not, why. */
export interface Readiness {
  checks: Record<'database' | 'migrations' | 'queue', Check>
  /** What the service does not do for now, although it is ready. */
  pauses: components['schemas']['HealthPause'][]
  cause: unknown
}

/** What requests of a node share, so that the same work is done once or not too often. */
export interface Gates {
  /** Checks with the issuer of tokens that the node does not know, and of code-host tokens that users save. */
  unknownTokens: ReturnType<typeof boundedChecks<{ proof: Proof | null }>>
  offeredTokens: ReturnType<typeof boundedChecks<HostUser>>
  /** Single flights: by session; by session and resource; by pull request; for the whole node. */
  tokenRechecks: ReturnType<typeof singleFlight<Recheck>>
  hostQuestions: ReturnType<typeof singleFlight<void>>
  ingests: ReturnType<typeof singleFlight<number>>
  readiness: ReturnType<typeof singleFlight<Readiness>>
  searches: Turns
  /** Of other requests over searches and messages of MCP clients, which take longer. */
  precedence: Precedence
  /** Of all texts, or of those before a time. */
  newestTexts: TtlCache<NewestTexts>
  /** Checks that webhook deliveries ask for, by repository. */
  hintedChecks: ReturnType<typeof trailingFlight>
  hintedChecksAtOnce: Turns
  /** Webhook deliveries that change when a repository is checked. */
  hints: Turns
  /** Bodies of webhook deliveries that are arriving. */
  deliveryBodies: BodyBudget
  withLease: WithLease
  /** Renewals of host tokens that are under way, which closing waits for. */
  renewals: Set<Promise<void>>
  /** Why the pull requests of some repositories are missing from feeds, by repository. */
  missedLists: TtlCache<ErrorCode>
  /** Set for a minute after repositories that lists leave out were verified. */
  verifiedLeftOut: TtlCache<true>
  /** What the service itself found about repositories that the code host forbids to a viewer's token, by name. */
  publicNames: ReturnType<typeof createPublicNames>
  /** Public repositories that the code host has just forbidden to a session's token, by session and repository. */
  forbiddenAccess: TtlCache<true>
  /** Results of searches on the code host, by session, token and query. */
  hostSearches: TtlCache<HostSearch>
}

export function createGates(db: Kysely<Schema>, now: () => Date): Gates {
  return {
    unknownTokens: boundedChecks(now),
    offeredTokens: boundedChecks(now),
    tokenRechecks: singleFlight(),
    hostQuestions: singleFlight(),
    ingests: singleFlight(),
    readiness: singleFlight(),
    searches: createTurns(SEARCHES),
    precedence: createPrecedence(),
    newestTexts: ttlCache(now, MINUTE_MS, MAX_NEWEST_TEXTS),
    hintedChecks: trailingFlight(),
    hintedChecksAtOnce: createTurns(HINTED_CHECKS),
    hints: createTurns(HINTS),
    deliveryBodies: createBodyBudget(),
    withLease: createWithLease(db),
    renewals: new Set(),
    missedLists: ttlCache(now, MINUTE_MS, MAX_MISSED_LISTS),
    verifiedLeftOut: ttlCache(now, MINUTE_MS, 1),
    publicNames: createPublicNames(now),
    forbiddenAccess: ttlCache(now, FORBIDDEN_ACCESS_MS, MAX_FORBIDDEN_ACCESS),
    hostSearches: ttlCache(now, MINUTE_MS, MAX_HOST_SEARCHES),
  }
}
