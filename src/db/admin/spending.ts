import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** What each row of a report of spending is about. */
export const SPENDING_GROUPS = ['day', 'month', 'repository', 'user', 'model'] as const
export type SpendingGroup = (typeof SPENDING_GROUPS)[number]

export interface SpendingRow {
  /** The day, month, repository, user or model. */
  group: string
  /** Texts that the model wrote because somebody requested them, and those that the service wrote by itself. */
  requested: number
  automatic: number
  /** The tokens of all calls that were answered, also for texts that failed. */
  input_tokens: number
  output_tokens: number
  /** By the prices at the time of the calls. */
  cost: number
  /** The tokens of models without a price, which are not in `cost`. */
  unpriced_tokens: number
}

const GROUPS: Record<SpendingGroup, ReturnType<typeof sql>> = {
  day: sql`to_char(day, 'YYYY-MM-DD')`,
  month: sql`to_char(day, 'YYYY-MM')`,
  repository: sql`coalesce(repositories.owner || '/' || repositories.name, 'unknown')`,
  user: sql`case when is_automatic then '(automatic)' else coalesce(users.host_username, '(deleted)') end`,
  model: sql`model`,
}

/** The spending of the last `days` days (UTC), for months since the first day of the month in which they begin. */
export async function findSpending(
  db: Kysely<Schema>,
  { per, days }: { per: SpendingGroup; days: number },
  now: Date,
): Promise<SpendingRow[]> {
  const since = sql`((${now}::timestamptz at time zone 'UTC')::date - ${days - 1}::integer)`
  const first = per === 'month' ? sql`date_trunc('month', ${since})` : since
  const order = per === 'day' || per === 'month' ? sql`1 desc` : sql`cost desc, input_tokens + output_tokens desc, 1`
  const { rows } = await sql<SpendingRow>`
    select * from (
      select ${GROUPS[per]} as "group",
        count(*) filter (where is_written and not is_automatic)::integer as requested,
        count(*) filter (where is_written and is_automatic)::integer as automatic,
        sum(input_tokens)::bigint as input_tokens,
        sum(output_tokens)::bigint as output_tokens,
        coalesce(sum(cost), 0) as cost,
        coalesce(sum(input_tokens + output_tokens) filter (where cost is null), 0)::bigint as unpriced_tokens
      from model_spending
        left join repositories using (host_repo_id)
        left join users on users.id = model_spending.user_id
      where day >= ${first}
      group by 1
    ) spending
    order by ${order}`.execute(db)
  return rows
}
