import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

const BATCH = 1000

export type Swept = keyof Schema

/** The rows to delete: either no response depends on them, or they are fetched again when needed. */
function expiredRows(now: Date): [table: Swept, which: RawBuilder<boolean>][] {
  const before = (days: number) => sql`${now}::timestamptz - ${sql.lit(days)} * interval '1 day'`
  return [
    // Expired sessions stay for another day, for jobs that they started just before they expired. Expired API tokens stay
    // listed for longer, so that their users find out why they were refused.
    ['sessions', sql`expires_at < ${before(1)} and token_scopes is null`],
    ['sessions', sql`expires_at < ${before(30)}`],
    ['sessions', sql`revoked_at < ${before(30)}`],
    // A token that is used again later is verified again. For browser sessions and API tokens, their own expiry counts
    // instead.
    ['sessions', sql`verified_at < ${before(30)} and not is_cookie and token_scopes is null`],
    ['repository_access', sql`asked_at < ${before(1)}`],
    ['etags', sql`seen_at < ${before(30)}`],
    ['pull_request_lists', sql`asked_at < ${before(30)}`],
    ['article_jobs', sql`updated_at < ${before(30)} and status in ('succeeded', 'failed')`],
    ['article_quotas', sql`day::date < (${before(7)})::date`],
    ['model_spending', sql`day < (${before(400)})::date`],
    ['merges', sql`found_at < ${before(365)}`],
    ['mistakes', sql`created_at < ${before(365)}`],
    ['leases', sql`until < ${before(1)}`],
    [
      'article_versions',
      sql`(article_id, language) in (select article_id, language from article_versions where version > 10)
      and version <= (
        select max(version) - 10 from article_versions newer
        where newer.article_id = article_versions.article_id and newer.language = article_versions.language
      )`,
    ],
  ]
}

type Counts = Partial<Record<Swept, number>>

/** Deletes expired rows in batches; returns the number per table. */
export async function sweep(db: Kysely<Schema>, now: Date, signal: AbortSignal): Promise<Counts> {
  const swept: Counts = {}
  const failures: unknown[] = []
  for (const [table, which] of expiredRows(now)) {
    const deleted = await sweepTable(db, table, which, signal).catch((error) => {
      failures.push(error)
      return 0
    })
    if (deleted > 0) swept[table] = (swept[table] ?? 0) + deleted
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some tables could not be swept.', { cause: failures[0] })
  return swept
}

async function sweepTable(db: Kysely<Schema>, table: Swept, which: RawBuilder<boolean>, signal: AbortSignal) {
  let total = 0
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted; total += deleted) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where ${which} limit ${sql.lit(BATCH)} for update skip locked
      ))`.execute(db)
    deleted = Number(numAffectedRows ?? 0)
  }
  return total
}
