import { type Kysely, sql } from 'kysely'
import { isRecent } from '../engine/clock.ts'
import type { Schema } from '../schema/schema.ts'

const BATCH = 1000

/** Fails all jobs without progress for too long. */
export async function abandonJobs(
  db: Kysely<Schema>,
  milliseconds: number,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const batch = sql<string[]>`array(
    select id from article_jobs where status in ('queued', 'running') and ${isIdle(milliseconds, now)}
    limit ${sql.lit(BATCH)} for update skip locked
  )`
  let total = 0
  for (let abandoned = BATCH; abandoned === BATCH && !signal.aborted; total += abandoned) {
    const abandon = abandoning(db, milliseconds, now).where(sql<boolean>`id = any (${batch})`)
    abandoned = Number((await abandon.executeTakeFirst()).numUpdatedRows)
  }
  return total
}

/** Fails one job if it has made no progress for too long. */
export async function abandonJob(db: Kysely<Schema>, id: string, milliseconds: number, now: Date): Promise<void> {
  await abandoning(db, milliseconds, now).where('id', '=', id).execute()
}

function isIdle(milliseconds: number, now: Date) {
  return sql<boolean>`not ${isRecent(sql.ref('updated_at'), now, milliseconds / 60_000)}`
}

function abandoning(db: Kysely<Schema>, milliseconds: number, now: Date) {
  return db
    .updateTable('article_jobs')
    .set({
      status: 'failed',
      stage: 'done',
      error_code: 'GENERATION_FAILED',
      error_message: 'Writing the article timed out.',
      updated_at: now,
    })
    .where('status', 'in', ['queued', 'running'])
    .where(isIdle(milliseconds, now))
}
