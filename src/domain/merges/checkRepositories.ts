import pLimit from 'p-limit'
import { keepHints } from '../../db/merges/hints.ts'
import { findDue, updateWalk } from '../../db/merges/walks.ts'
import { updateWatched } from '../../db/merges/watched.ts'
import type { WatchedRow } from '../../db/schema/mergeTables.ts'
import { HostForbidden } from '../../host/errors.ts'
import { SECOND_MS } from '../../lib/times.ts'
import { checkPublic } from '../repositories/publicVisibility.ts'
import { PollerPaused, type PollRound } from './pollRound.ts'
import { walk } from './walk.ts'

const MAX_INTERVAL_MS = 6 * 3600 * SECOND_MS
/** A repository is checked again after a tenth of the time since its last change. */
const INTERVAL_SHARE = 0.1
/** Spreads the checks of repositories that were added together. */
const JITTER = 0.1
const MAX_AT_ONCE = 5
const BATCH = 50

/** Looks for merged pull requests in some of the repositories whose check is due. Returns whether more may be due. */
export async function checkRepositories(round: PollRound): Promise<boolean> {
  const limit = pLimit(MAX_AT_ONCE)
  const rows = await findDue(round.ctx.db, round.ctx.now(), BATCH)
  const outcomes = await Promise.allSettled(rows.map((row) => limit(() => checkRepository(round, row))))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  return rows.length === BATCH
}

async function checkRepository(round: PollRound, row: WatchedRow): Promise<void> {
  const { ctx } = round
  try {
    const outcome = await walk(round, row)
    const now = ctx.now()
    const active_at = outcome === 'changed' || outcome === 'unfinished' ? now : row.active_at
    const pauseMs = outcome === 'unfinished' ? 0 : intervalMs(round, now.getTime() - active_at.getTime())
    const next = now.getTime() + pauseMs
    const change = { checked_at: now, next_check_at: new Date(next), active_at, failures: 0 }
    await updateWalk(ctx.db, row.host_repo_id, change)
  } catch (error) {
    if (error instanceof PollerPaused) throw error
    if (error instanceof HostForbidden) return afterForbidden(round, row)
    const failures = row.failures + 1
    ctx.log.warn({ err: error, hostRepoId: row.host_repo_id, failures }, 'Checking a repository for merges failed.')
    const pauseMs = Math.min(intervalMs(round, 0) * 2 ** Math.min(failures - 1, 10), MAX_INTERVAL_MS)
    const next = ctx.now().getTime() + pauseMs
    await updateWalk(ctx.db, row.host_repo_id, { next_check_at: new Date(next), failures })
  }
  await keepHints(ctx.db, row.host_repo_id, row.hinted_at)
}

/**
 * Handles a repository that the code host forbids to the service's token, although it may be public. The public check
 * logs that once.
 */
async function afterForbidden({ ctx }: PollRound, { host_repo_id: hostRepoId, hinted_at }: WatchedRow): Promise<void> {
  await checkPublic(ctx, hostRepoId)
  const now = ctx.now()
  await updateWatched(ctx.db, hostRepoId, now)
  await updateWalk(ctx.db, hostRepoId, { next_check_at: new Date(now.getTime() + MAX_INTERVAL_MS) })
  await keepHints(ctx.db, hostRepoId, hinted_at)
}

function intervalMs({ ctx }: PollRound, quietMs: number): number {
  const shortest = ctx.config.automaticArticles.intervalSeconds * SECOND_MS
  const interval = Math.min(Math.max(quietMs * INTERVAL_SHARE, shortest), MAX_INTERVAL_MS)
  return Math.round(interval * (1 + JITTER * (2 * Math.random() - 1)))
}
