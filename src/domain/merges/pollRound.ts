import type { Context } from '../../context.ts'
import { type Followers, findFollowers } from '../../db/merges/decisions.ts'
import { markSucceeded, pausePoller, reserveCalls } from '../../db/merges/poller.ts'
import { updateWatched } from '../../db/merges/watched.ts'
import { upsertRepository } from '../../db/repositories/repositories.ts'
import type { HostCredential } from '../../host/credential.ts'
import {
  HostAnswerTooLarge,
  HostRateLimited,
  HostTokenRefused,
  HostUnavailable,
  TRIAL_INTERVAL_SECONDS,
} from '../../host/errors.ts'
import { HOUR_MS, SECOND_MS } from '../../lib/times.ts'
import type { HostReader } from '../pulls/hostReader.ts'
import { pullRequestNotFound } from '../repositories/problems.ts'

/** The timeout of all calls about one pull request together. */
const CALL_TIMEOUT_MS = 30 * SECOND_MS
const MIN_OUTAGE_PAUSE_MS = 5 * SECOND_MS
const MAX_OUTAGE_PAUSE_MS = 300 * SECOND_MS
const TOKEN_PAUSE_MS = 600 * SECOND_MS
/** The delay until a merged pull request is tried again after a call about it failed. */
export const OUTAGE_RETRY_MS = 60 * SECOND_MS
/** This many failed calls in a row mean that the code host is down; fewer may be due to one repository. */
const OUTAGE_CALLS = 3

/** Thrown if the code host must not be called for a while. Ends this round, and pauses the poller on all nodes. */
export class PollerPaused extends Error {}

/** One run of the poller. */
export interface PollRound {
  ctx: Context
  /** Whether this node must stop: it is closing, or another node runs the poller. */
  isOver(): boolean
  /** Calls the code host with the service's own token. `calls` counts against WATCH_CALLS_PER_HOUR. */
  ask<T>(calls: number, call: (credential: HostCredential) => Promise<T>): Promise<T>
  /**
   * The followers of a repository who want automatic articles: read once in a round, because there may be very many.
   */
  followersOf(hostRepoId: number): Promise<Followers[]>
  /** A reader of pull requests that rejects private repositories. Each call of the reader counts as `calls` calls. */
  reader(calls: number): HostReader
}

export function createPollRound(ctx: Context, failures: number, isOver: () => boolean): PollRound {
  const token = ctx.config.codeHost.token?.reveal()
  const followers = new Map<number, Promise<Followers[]>>()
  let hasFailed = failures > 0
  let isPaused = false
  let failedInARow = 0

  async function ask<T>(calls: number, call: (credential: HostCredential) => Promise<T>): Promise<T> {
    if (isPaused || isOver()) throw new PollerPaused('The turn is over.')
    if (!(await reserve(ctx, calls))) {
      isPaused = true
      throw new PollerPaused('The calls of this hour are used up.')
    }
    try {
      const result = await call({ token, until: performance.now() + CALL_TIMEOUT_MS })
      if (hasFailed) await markSucceeded(ctx.db)
      hasFailed = false
      failedInARow = 0
      return result
    } catch (error) {
      if (isOutage(error)) failedInARow += 1
      const pauseMs = pauseAfter(error) ?? (failedInARow >= OUTAGE_CALLS ? outagePause(failures) : undefined)
      if (pauseMs !== undefined && !isPaused) await pause(error, pauseMs)
      // The outage may affect this call only. Throws the call's own error instead of PollerPaused, so that this call is
      // put off and the next round begins with another one.
      if (pauseMs === undefined || isOutage(error)) throw error
      throw new PollerPaused('The code host must not be called for a while.', { cause: error })
    }
  }

  async function pause(error: unknown, pauseMs: number): Promise<void> {
    hasFailed = true
    isPaused = true
    if (error instanceof HostTokenRefused) ctx.log.error('The code host rejects CODE_HOST_TOKEN.')
    else ctx.log.warn({ err: error, pauseMs }, 'Merge poller paused.')
    await pausePoller(ctx.db, new Date(ctx.now().getTime() + pauseMs), failures + 1)
  }

  return {
    ctx,
    isOver,
    ask,
    followersOf(hostRepoId) {
      const promise = followers.get(hostRepoId) ?? findFollowers(ctx.db, hostRepoId)
      followers.set(hostRepoId, promise)
      return promise
    },
    reader: (calls) => ({
      sessionId: null,
      until: performance.now() + CALL_TIMEOUT_MS,
      ask: (call) => ask(calls, call),
      async recordVisibility(repository, askedAt) {
        const now = ctx.now()
        await upsertRepository(ctx.db, repository, repository.private ? now : askedAt, now)
        if (!repository.private) return
        await updateWatched(ctx.db, repository.host_repo_id, now)
        throw pullRequestNotFound()
      },
    }),
  }
}

/** Reserves calls of this hour. If they are used up, pauses the poller until the next hour and returns false. */
async function reserve(ctx: Context, calls: number): Promise<boolean> {
  const now = ctx.now().getTime()
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS
  if (await reserveCalls(ctx.db, new Date(hour), calls, ctx.config.automaticArticles.callsPerHour)) return true
  await pausePoller(ctx.db, new Date(hour + HOUR_MS), 0)
  ctx.log.warn('WATCH_CALLS_PER_HOUR is used up: looking for merged pull requests goes on in the next hour.')
  return false
}

/** Whether the code host may be down. Errors of a single pull request have a status below 500. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof HostUnavailable) || error instanceof HostAnswerTooLarge) return false
  return error.status === undefined || error.status >= 500
}

/** How long to pause after an error, if it requires a pause; at most until the next trial call. */
function pauseAfter(error: unknown): number | undefined {
  if (error instanceof HostTokenRefused) return TOKEN_PAUSE_MS
  if (error instanceof HostRateLimited || error instanceof HostUnavailable)
    return error.retryAfter === undefined ? undefined : Math.min(error.retryAfter, TRIAL_INTERVAL_SECONDS) * SECOND_MS
  return undefined
}

function outagePause(failures: number): number {
  return Math.min(MIN_OUTAGE_PAUSE_MS * 2 ** Math.min(failures, 10), MAX_OUTAGE_PAUSE_MS)
}
