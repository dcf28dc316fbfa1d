import type { Context } from '../../context.ts'
import { findEndedJobs, TRANSIENT_CODES } from '../../db/merges/budgets.ts'
import { updateMerge } from '../../db/merges/decisions.ts'
import type { MergeRow } from '../../db/schema/mergeTables.ts'
import { MINUTE_MS } from '../../lib/times.ts'

const BATCH = 100
/** The pauses before the second and the third try to write an article. After that there are no more tries. */
const RETRY_MS = [10 * MINUTE_MS, 60 * MINUTE_MS]
/** Errors after which another try would fail as well. */
const FINAL_CODES = ['HOST_REPO_NOT_FOUND', 'PULL_REQUEST_NOT_FOUND', 'FORBIDDEN']

type JobError = Pick<MergeRow, 'error_code' | 'error_message'> & {
  error_reason?: MergeRow['error_reason']
  retry_at?: Date | null
}

/** Continues with each merged pull request whose job has ended: with the next language, or with another try. */
export async function followJobs(ctx: Context): Promise<void> {
  for (const ended of await findEndedJobs(ctx.db, BATCH)) {
    // A job that a user started may have failed because of that user's session, so its error does not count.
    if (ended.job_status === 'succeeded' || ended.session_id)
      await updateMerge(ctx.db, ended, { status: 'queued', job_id: null })
    else if (ended.error_code && FINAL_CODES.includes(ended.error_code)) {
      const reason = ended.error_reason === 'hidden_by_operator' ? 'hidden' : 'gone'
      await updateMerge(ctx.db, ended, { status: 'skipped', reason, job_id: null })
    } else await updateMerge(ctx.db, ended, failed(ended, ended, ctx.now()))
  }
}

/** The columns of a merged pull request after a failed job, with the time of the next try if there is one. */
export function failed({ attempts }: Pick<MergeRow, 'attempts'>, error: JobError, now: Date) {
  const isTransient = error.error_code !== null && TRANSIENT_CODES.includes(error.error_code)
  const isCanceled = error.error_reason === 'canceled_by_operator'
  const pauseMs = isTransient ? RETRY_MS[0] : isCanceled ? undefined : RETRY_MS[attempts]
  const next =
    pauseMs === undefined ? null : new Date(Math.max(now.getTime() + pauseMs, error.retry_at?.getTime() ?? 0))
  return {
    status: 'failed' as const,
    job_id: null,
    attempts: isTransient ? attempts : attempts + 1,
    error_code: error.error_code ?? ('GENERATION_FAILED' as const),
    error_message: error.error_message ?? 'Writing the article was interrupted.',
    error_reason: error.error_reason ?? null,
    next_try_at: next,
  }
}
