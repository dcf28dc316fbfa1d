import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

const INTERVAL_MS = 60_000
/** Measures several times at first: while a node starts, an answer may take long, which makes a measurement inexact. */
const FIRST_MEASUREMENTS = 3

interface DatabaseClock {
  /** How far the database's clock is ahead of this machine's. */
  offsetMs(): number
  stop(): void
}

/**
 * Measures how far this machine's clock differs from the database's, now and every minute, so that all nodes use the
 * same time.
 */
export async function startDatabaseClock(db: Kysely<Schema>, machineNow: () => number): Promise<DatabaseClock> {
  let offsetMs = 0
  const update = async () => {
    offsetMs = nextOffset(offsetMs, await measure(db, machineNow))
  }
  for (let i = 0; i < FIRST_MEASUREMENTS; i++) await update()
  // If a measurement fails, the last offset is kept: other queries report that the database is down.
  const timer = setInterval(() => update().catch(() => {}), INTERVAL_MS)
  timer.unref()
  return { offsetMs: () => offsetMs, stop: () => clearInterval(timer) }
}

/** Times in milliseconds. `machine` is this machine's time when the answer arrived. */
interface Measurement {
  database: number
  machine: number
  roundTrip: number
}

/**
 * The offset after a measurement. It changes only if the measurement shows that it is wrong, so that a slow answer does
 * not replace an exact offset by an inexact one.
 */
export function nextOffset(offsetMs: number, { database, machine, roundTrip }: Measurement): number {
  const measured = Math.round(database + roundTrip / 2 - machine)
  // One millisecond more, because dates are in whole milliseconds.
  const maxError = roundTrip / 2 + 1
  return Math.abs(measured - offsetMs) > maxError ? measured : offsetMs
}

async function measure(db: Kysely<Schema>, machineNow: () => number): Promise<Measurement> {
  // Takes a connection first, so that waiting for one does not count as part of the round trip.
  return db.connection().execute(async (connection) => {
    const sentAt = performance.now()
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(connection)
    const roundTrip = performance.now() - sentAt
    const machine = machineNow()
    if (!rows[0]) throw new Error('The database did not return its time.')
    return { database: rows[0].now.getTime(), machine, roundTrip }
  })
}
