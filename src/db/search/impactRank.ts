import { type RawBuilder, sql } from 'kysely'

/** The order of compatibilities, breaking first. If it is unknown, the change may still break something. */
export function impactRank(compatibility: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(case ${compatibility}
    when 'breaking' then 4 when 'behavior' then 3 when 'addition' then 1 when 'none' then 0 else 2 end)`
}
