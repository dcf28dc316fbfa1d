import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../../context.ts'
import { abandonJobs } from '../../db/articles/abandonedJobs.ts'
import { takeLease } from '../../db/jobs/leases.ts'
import { sweep } from '../../db/maintenance/sweep.ts'
import { MINUTE_MS } from '../../lib/times.ts'

const POLL_MS = MINUTE_MS
/** One node sweeps for all nodes, at most once in this time. */
const SWEEP_INTERVAL_MS = 10 * MINUTE_MS
/**
 * A job counts as abandoned after this time without progress: longer than all its retries and the longest wait in the
 * queue.
 */
const MAX_SILENCE_MS = 24 * 60 * MINUTE_MS

/** Makes this node take part in sweeping. Returns a function that stops it. */
export function startSweeping(ctx: Context): () => void {
  const stopping = new AbortController()
  const timer = setInterval(() => {
    sweepInTurn(ctx, stopping.signal).catch((error) => ctx.log.warn({ err: error }, 'Deleting expired rows failed.'))
  }, POLL_MS)
  return () => {
    clearInterval(timer)
    stopping.abort()
  }
}

export async function sweepInTurn(ctx: Context, signal: AbortSignal): Promise<void> {
  const now = ctx.now()
  const lease = { name: 'sweeping', holder: randomUUIDv7(), durationMs: SWEEP_INTERVAL_MS }
  if (!(await takeLease(ctx.db, lease, now))) return
  const abandoned = await abandonJobs(ctx.db, MAX_SILENCE_MS, now, signal)
  if (abandoned > 0) ctx.log.warn({ abandoned }, 'Abandoned article jobs were marked as failed.')
  const swept = await sweep(ctx.db, now, signal)
  if (Object.keys(swept).length > 0) ctx.log.info({ swept }, 'Deleted expired rows.')
}
