import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** A repository is not checked more often than this, however many hints arrive. */
const MIN_SECONDS_BETWEEN_CHECKS = 10

/** When the check that a hint asks for is due. */
function dueAfterHint(hintedAt: RawBuilder<Date>) {
  return sql<Date>`greatest(${hintedAt}, checked_at + ${sql.lit(MIN_SECONDS_BETWEEN_CHECKS)} * interval '1 second')`
}

/**
 * Makes the next check of a watched repository due as soon as the minimum interval allows. Does not delay a check that
 * is due earlier.
 */
export async function hastenCheck(db: Kysely<Schema>, hostRepoId: number, now: Date): Promise<void> {
  await sql`
    update watched_repositories
    set hinted_at = ${now}::timestamptz,
      next_check_at = least(next_check_at, ${dueAfterHint(sql`${now}::timestamptz`)})
    where host_repo_id = ${hostRepoId}::bigint`.execute(db)
}

/**
 * Called after a check. Makes another check due if a hint arrived after the check began, because the check may have
 * missed the change that the hint is about. `known` is the time of the last hint before the check.
 */
export async function keepHints(db: Kysely<Schema>, hostRepoId: number, known: Date | null): Promise<void> {
  await sql`
    update watched_repositories set next_check_at = least(next_check_at, ${dueAfterHint(sql`hinted_at`)})
    where host_repo_id = ${hostRepoId}::bigint and hinted_at is distinct from ${known}::timestamptz`.execute(db)
}
