import { type Expression, sql } from 'kysely'

/** A time as it is answered: ISO 8601 in UTC with milliseconds. */
export function jsonTime(time: Expression<unknown>) {
  return sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
