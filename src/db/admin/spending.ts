import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/**
 * The articles written and the model tokens used on one day. Jobs are deleted 30 days after they ended; only `tokens`
 * remains.
 */
export interface SpendingRow {
  day: string
  requested: number
  requested_input_tokens: number
  requested_output_tokens: number
  automatic: number
  automatic_input_tokens: number
  automatic_output_tokens: number
  /**
   * The model tokens that count against MODEL_TOKENS_PER_DAY, including those of failed calls and those reserved for
   * running ones; null if there is no such limit.
   */
  tokens: number | null
}

/**
 * The days with articles or tokens among the last `days` days (UTC), newest first. A text counts on the day on which it
 * was requested.
 */
export async function findSpending(db: Kysely<Schema>, days: number, now: Date): Promise<SpendingRow[]> {
  const first = sql`((${now}::timestamptz at time zone 'UTC')::date - ${days - 1}::integer)`
  const count = (isMeant: ReturnType<typeof sql>) =>
    sql`count(*) filter (where ${isMeant} and status = 'succeeded')::integer`
  const total = (column: string, isMeant: ReturnType<typeof sql>) =>
    sql`coalesce(sum(${sql.ref(column)}) filter (where ${isMeant}), 0)::bigint`
  const [automatic, requested] = [sql`is_automatic`, sql`not is_automatic`]
  const { rows } = await sql<SpendingRow>`
    with jobs as (
      select (created_at at time zone 'UTC')::date as day,
        ${count(requested)} as requested,
        ${total('input_tokens', requested)} as requested_input_tokens,
        ${total('output_tokens', requested)} as requested_output_tokens,
        ${count(automatic)} as automatic,
        ${total('input_tokens', automatic)} as automatic_input_tokens,
        ${total('output_tokens', automatic)} as automatic_output_tokens
      from article_jobs where created_at >= ${first}::timestamp at time zone 'UTC' group by 1
    )
    select to_char(day, 'YYYY-MM-DD') as day,
      coalesce(requested, 0) as requested,
      coalesce(requested_input_tokens, 0)::bigint as requested_input_tokens,
      coalesce(requested_output_tokens, 0)::bigint as requested_output_tokens,
      coalesce(automatic, 0) as automatic,
      coalesce(automatic_input_tokens, 0)::bigint as automatic_input_tokens,
      coalesce(automatic_output_tokens, 0)::bigint as automatic_output_tokens,
      model_usage.tokens
    from jobs full join model_usage using (day)
    where day >= ${first}
    order by day desc`.execute(db)
  return rows
}
