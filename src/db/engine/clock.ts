import { type Expression, sql } from 'kysely'
import { MAX_CLOCK_ERROR_MS } from '../../lib/clock.ts'

type Time = Expression<Date | null>
type Minutes = number | Expression<number>

const MAX_CLOCK_ERROR = sql`interval '${sql.raw(String(MAX_CLOCK_ERROR_MS))} milliseconds'`

/** `isRecent` and `isPending` are the functions of `../../lib/clock.ts` in SQL. */
export function isRecent(time: Time, now: Date, minutes: Minutes) {
  return sql<boolean>`(${time} > ${now}::timestamptz - ${duration(minutes)} and not ${isAhead(time, now)})`
}

export function isPending(time: Time, now: Date, minutes: Minutes) {
  return sql<boolean>`(${time} > ${now}::timestamptz and not ${isAhead(time, now, minutes)})`
}

/**
 * Whether a value read at the time `at` replaces the one stored at the time `stored`. A newer stored value stays,
 * unless its time is in the future, which means that it was set by a wrong clock.
 */
export function isReplacedBy(stored: Time, at: Date | Time, now: Date) {
  return sql<boolean>`(${stored} <= ${at}::timestamptz or ${isAhead(stored, now)})`
}

/** Whether a time is more than this many minutes in the future. */
function isAhead(time: Time, now: Date, minutes: Minutes = 0) {
  return sql<boolean>`${time} > ${now}::timestamptz + ${duration(minutes)} + ${MAX_CLOCK_ERROR}`
}

function duration(minutes: Minutes) {
  return sql`${typeof minutes === 'number' ? sql.lit(minutes) : minutes} * interval '1 minute'`
}
