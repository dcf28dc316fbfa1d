import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../context.ts'
import { abandonJobs } from '../db/articles/abandonedJobs.ts'
import { takeLease } from '../db/jobs/leases.ts'
import { sweep } from '../db/maintenance/sweep.ts'

const MINUTE = 60_000
const LOOK = MINUTE
/** One node sweeps for all, no more often than this. */
const PAUSE = 10 * MINUTE
/** Longer than a job is tried again and again, and than one waits while there are many. */
const MAX_SILENCE = 24 * 60 * MINUTE

/** Has this node take its turn in sweeping. Answers how to have it stop. */
export function startSweeping(ctx: Context): () => void {
  const stopping = new AbortController()
  const timer = setInterval(() => {
    sweepInTurn(ctx, stopping.signal).catch((error) => ctx.log.warn({ err: error }, 'What is old could not be swept.'))
  }, LOOK)
  return () => {
    clearInterval(timer)
    stopping.abort()
  }
}

export async function sweepInTurn(ctx: Context, signal: AbortSignal): Promise<void> {
  const now = ctx.now()
  const lease = { name: 'sweeping', holder: randomUUIDv7(), until: new Date(now.getTime() + PAUSE) }
  if (!(await takeLease(ctx.db, lease, now))) return
  const abandoned = await abandonJobs(ctx.db, MAX_SILENCE, now, signal)
  if (abandoned > 0) ctx.log.warn({ abandoned }, 'Articles that nobody was writing any more were given up.')
  const swept = await sweep(ctx.db, now, signal)
  if (Object.keys(swept).length > 0) ctx.log.info({ swept }, 'Swept.')
}
