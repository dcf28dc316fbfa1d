import { createHash } from 'node:crypto'
import pLimit, { type LimitFunction } from 'p-limit'
import { MAX_PAUSE_SECONDS } from '../lib/maxPause.ts'
import { HostRateLimited, HostSearchLimited, TRIAL_INTERVAL_SECONDS } from './errors.ts'

export type Send = (url: string, init: RequestInit) => Promise<Response>

const DEFAULT_PAUSE_SECONDS = 60
const MAX_PAUSED_TOKENS = 10_000
const MAX_CONCURRENT = 50

/** Many concurrent calls with one token would look like abuse, so those beyond 50 wait. */
export function limitConcurrency(sendRequest: Send): Send {
  const limiters = new Map<string, LimitFunction>()
  return async (url, init) => {
    const token = tokenOf(init)
    const limiter = limiters.get(token) ?? pLimit(MAX_CONCURRENT)
    limiters.set(token, limiter)
    return limiter(() => sendRequest(url, init)).finally(() => {
      if (limiter.activeCount + limiter.pendingCount === 0) limiters.delete(token)
    })
  }
}

/** Times in milliseconds. */
interface Pause {
  until: number
  /** When the code host last asked us to wait, or when a trial call was last made. */
  lastTrial: number
  nextTrial: number
}

export interface Pausing {
  send: Send
  /** Makes the next call with this token a trial, unless there was one since an operator resumed the service. */
  tryNow(init: RequestInit, resumedAt: Date): void
}

/**
 * Remembers until when each token is rate-limited, so that further calls fail at once without asking the code host,
 * except for one trial call after each interval. Searches, whose URLs begin with `searchUrl`, have a limit of their
 * own.
 */
export function pauseRateLimited(sendRequest: Send, now: () => Date, searchUrl: string): Pausing {
  const pauses = new Map<string, Pause>()
  /** The trial calls that are running. Other calls wait for their outcome. */
  const trials = new Map<string, Promise<unknown>>()

  /** Throws during a pause, unless a trial call is due. Returns whether the call is such a trial. */
  function pass(key: string, Limited: typeof HostRateLimited): boolean {
    const pause = pauses.get(key)
    const time = now().getTime()
    if (!pause || pause.until <= time) {
      pauses.delete(key)
      return false
    }
    if (pause.nextTrial > time) throw new Limited(Math.ceil((pause.until - time) / 1000))
    Object.assign(pause, trialAt(time))
    return true
  }

  function begin(key: string, seconds: number): void {
    const began = now().getTime()
    // The response to a concurrent call may have set a longer pause.
    const until = Math.max(pauses.get(key)?.until ?? 0, began + seconds * 1000)
    pauses.set(key, { until, ...trialAt(began) })
    const [oldest] = pauses.keys()
    if (pauses.size > MAX_PAUSED_TOKENS && oldest !== undefined) pauses.delete(oldest)
  }

  return {
    async send(url, init) {
      const isSearch = url.startsWith(searchUrl)
      const key = keyOf(init, isSearch)
      const Limited = isSearch ? HostSearchLimited : HostRateLimited
      while (trials.has(key)) await trials.get(key)
      const isTrial = pass(key, Limited)
      const sending = (async () => {
        const response = await sendRequest(url, init)
        const seconds = await pauseSeconds(response, now)
        if (isTrial) pauses.delete(key)
        if (seconds === undefined) return response
        begin(key, seconds)
        throw new Limited(seconds)
      })()
      if (isTrial)
        trials.set(
          key,
          sending.catch(() => {}).finally(() => trials.delete(key)),
        )
      return sending
    },
    tryNow(init, resumedAt) {
      const pause = pauses.get(keyOf(init, false))
      const time = resumedAt.getTime()
      if (pause && pause.lastTrial < time) pause.nextTrial = Math.min(pause.nextTrial, time)
    },
  }
}

function trialAt(time: number): Pick<Pause, 'lastTrial' | 'nextTrial'> {
  return { lastTrial: time, nextTrial: time + TRIAL_INTERVAL_SECONDS * 1000 }
}

function keyOf(init: RequestInit, isSearch: boolean): string {
  return `${tokenOf(init)} ${isSearch}`
}

async function pauseSeconds(response: Response, now: () => Date): Promise<number | undefined> {
  const { status, headers } = response
  if (status !== 403 && status !== 429) return undefined
  const retryAfter = retryAfterOf(response)
  if (retryAfter !== undefined) return retryAfter
  if (headers.get('x-ratelimit-remaining') === '0')
    return bounded(Number(headers.get('x-ratelimit-reset')) - now().getTime() / 1000)
  const limited = status === 429 || /rate limit/i.test(await response.clone().text())
  return limited ? DEFAULT_PAUSE_SECONDS : undefined
}

/** The seconds after which the code host wants to be called again. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after'))
  return seconds > 0 ? bounded(seconds) : undefined
}

function tokenOf({ headers }: RequestInit): string {
  return createHash('sha256')
    .update(new Headers(headers).get('authorization') ?? '')
    .digest('base64')
}

function bounded(seconds: number): number {
  return Number.isNaN(seconds) ? DEFAULT_PAUSE_SECONDS : Math.min(Math.max(Math.ceil(seconds), 1), MAX_PAUSE_SECONDS)
}
