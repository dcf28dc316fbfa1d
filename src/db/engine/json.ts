import { type Expression, type RawBuilder, sql } from 'kysely'

/** A time as in responses: ISO 8601 in UTC with milliseconds. */
export function jsonTime(time: Expression<unknown>) {
  return sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** An object as JSON text. `json_build_object` would spend a third of the bytes on spaces. */
export function jsonObject(fields: Record<string, RawBuilder<unknown>>) {
  const columns = Object.entries(fields).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)
  return sql<string>`(select row_to_json(fields)::text from (select ${sql.join(columns)}) fields)`
}

/** The rows of a query for which the condition holds, each already JSON text, as a JSON array. */
export function jsonArray(
  item: Expression<string>,
  order: Expression<unknown>,
  condition: Expression<unknown> = sql`true`,
) {
  return sql<string>`'[' || coalesce(string_agg(${item}, ',' order by ${order}) filter (where ${condition}), '') || ']'`
}
