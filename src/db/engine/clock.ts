import { type Expression, sql } from 'kysely'
import { CLOCK_TOLERANCE_MS } from '../../lib/clock.ts'

type Time = Expression<Date | null>
type Minutes = number | Expression<number>

const TOLERANCE = sql`interval '${sql.raw(String(CLOCK_TOLERANCE_MS))} milliseconds'`

/** Whether a time is further ahead than clocks may differ: see `../../lib/clock.ts`, whose rules these are in SQL. */
export function isAhead(time: Time, now: Date) {
  return sql<boolean>`${time} > ${now}::timestamptz + ${TOLERANCE}`
}

export function isRecent(time: Time, now: Date, minutes: Minutes) {
  return sql<boolean>`(${time} > ${now}::timestamptz - ${lasting(minutes)} and not ${isAhead(time, now)})`
}

export function isPending(time: Time, now: Date, minutes: Minutes) {
  return isRecent(sql<Date>`(${time} - ${lasting(minutes)})`, now, minutes)
}

function lasting(minutes: Minutes) {
  return sql`${typeof minutes === 'number' ? sql.lit(minutes) : minutes} * interval '1 minute'`
}

/** Whether what was found out at a time replaces what is kept: unless that is newer, and no mistake of a clock. */
export function isReplacedBy(kept: Time, at: Date, now: Date) {
  return sql<boolean>`(${kept} <= ${at}::timestamptz or ${isAhead(kept, now)})`
}
