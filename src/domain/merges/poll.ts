import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../../context.ts'
import { findLastResume } from '../../db/admin/acts.ts'
import { returnLease, takeLease } from '../../db/jobs/leases.ts'
import { findOpenWork } from '../../db/merges/openWork.ts'
import { findPoller, MAX_PAUSE_MS, markSynced } from '../../db/merges/poller.ts'
import { updateAllWatched } from '../../db/merges/watched.ts'
import { isPending, isRecent } from '../../lib/clock.ts'
import { isWatching } from '../../runtime/config/isWatching.ts'
import { checkRepositories } from './checkRepositories.ts'
import { decide } from './decide.ts'
import { followJobs } from './followJobs.ts'
import { createPollRound, PollerPaused } from './pollRound.ts'
import { write } from './write.ts'

const POLL_MS = 3000
/** The duration of the poller's lease. If the node that polls is killed, another one takes over within this time. */
const LEASE_MS = 12_000
const RENEW_MS = 3000
/**
 * The list of watched repositories is updated this often, because nodes of another version may have stored favorites
 * and visibility without updating this list.
 */
const SYNC_INTERVAL_MS = 60 * 60_000

/** Makes this node take part in looking for merged pull requests, one node at a time. Returns a function that stops it. */
export function startPolling(ctx: Context): () => Promise<void> {
  if (!isWatching(ctx)) {
    if (ctx.config.automaticArticles.areWanted)
      ctx.log.warn('AUTOMATIC_ARTICLES requires CODE_HOST_TOKEN: no automatic articles are written.')
    return async () => {}
  }
  const closing = new AbortController()
  let round: Promise<void> | undefined
  const run = AsyncLocalStorage.bind(() => {
    round ??= pollOften(ctx, closing.signal)
      .catch((error) => ctx.log.warn({ err: error }, 'Merge poll failed.'))
      .finally(() => {
        round = undefined
      })
  })
  const timer = setInterval(run, POLL_MS)
  return async () => {
    clearInterval(timer)
    closing.abort()
    await round
  }
}

/** Runs one round after another as long as there is work. */
async function pollOften(ctx: Context, signal: AbortSignal): Promise<void> {
  while (await pollOnce(ctx, signal));
}

/** Runs the poller if no other node does. Returns whether there may be more to do. */
export async function pollOnce(ctx: Context, signal: AbortSignal): Promise<boolean> {
  const lease = { name: 'merges', holder: randomUUIDv7(), durationMs: LEASE_MS }
  const take = () => takeLease(ctx.db, lease, ctx.now())
  if (signal.aborted || !(await take())) return false
  let isLost = false
  let renewal = Promise.resolve()
  const renewing = setInterval(() => {
    renewal = take().then(
      (isTaken) => {
        isLost ||= !isTaken
      },
      () => {},
    )
  }, RENEW_MS)
  try {
    return await poll(ctx, () => isLost || signal.aborted)
  } finally {
    clearInterval(renewing)
    await renewal
    await returnLease(ctx.db, lease)
  }
}

/** Runs the steps of a round. Each does a limited amount, so that much work of one kind does not delay the others. */
async function poll(ctx: Context, isOver: () => boolean): Promise<boolean> {
  const { paused_until, failures, synced_at } = await findPoller(ctx.db)
  const now = ctx.now()
  if (!synced_at || !isRecent(synced_at, now, SYNC_INTERVAL_MS)) {
    await markSynced(ctx.db, now)
    await updateAllWatched(ctx.db, now).catch((error) =>
      ctx.log.warn({ err: error }, 'Updating the watched repositories failed.'),
    )
  }
  const work = await findOpenWork(ctx.db, now)
  if (work.hasWriting) await followJobs(ctx)
  if (paused_until && isPending(paused_until, now, MAX_PAUSE_MS)) return false
  const resumedAt = await findLastResume(ctx.db)
  if (resumedAt) ctx.host.tryNow({ token: ctx.config.codeHost.token?.reveal() }, resumedAt)
  const round = createPollRound(ctx, failures, isOver)
  try {
    const areMoreDue = work.isCheckDue && (await checkRepositories(round))
    const areMoreFound = (work.isCheckDue || work.hasUndecided) && (await decide(round))
    if (Object.values(work).some(Boolean)) await write(round)
    return !isOver() && (areMoreDue || areMoreFound)
  } catch (error) {
    if (!(error instanceof PollerPaused)) throw error
    return false
  }
}
