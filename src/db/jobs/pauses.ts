import type { Kysely } from 'kysely'
import { findBreaker, MODEL_BREAKER, recordSuccess } from '../articles/breakers.ts'
import { endPollerPause, findPoller } from '../merges/poller.ts'
import type { Schema } from '../schema/schema.ts'

/**
 * Work that all nodes have paused. `until` is the time of the next trial, which may be earlier than an outside service
 * asked for.
 */
export interface Pause {
  name: 'model' | 'automaticArticles'
  until: Date
}

export async function findPauses(db: Kysely<Schema>, now: Date): Promise<Pause[]> {
  const [breaker, poller] = await Promise.all([findBreaker(db, MODEL_BREAKER), findPoller(db)])
  const pauses: [Pause['name'], Date | null | undefined][] = [
    ['model', breaker?.open_until],
    ['automaticArticles', poller.paused_until],
  ]
  return pauses.flatMap(([name, until]) => (until && until > now ? [{ name, until }] : []))
}

/** Ends all pauses on all nodes. Returns the names of those that it ended. */
export async function endPauses(db: Kysely<Schema>, now: Date): Promise<Pause['name'][]> {
  const pauses = await findPauses(db, now)
  await recordSuccess(db, MODEL_BREAKER)
  await endPollerPause(db, now)
  return pauses.map(({ name }) => name)
}
