import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import { abortable } from '../lib/abortable.ts'
import { MAX_PAUSE_SECONDS } from '../lib/maxPause.ts'
import {
  HostAnswerTooLarge,
  HostRateLimited,
  HostSearchLimited,
  HostUnavailable,
  TRIAL_INTERVAL_SECONDS,
} from './errors.ts'

export interface HostCall {
  /** Undefined without a response. */
  status: number | undefined
  seconds: number
  /** The calls that the rate limit leaves for the token, if the code host says so. */
  remaining: number | undefined
  /** Whether the call sent an ETag. */
  isConditional: boolean
}

type Send = (url: string, init: RequestInit) => Promise<Response>

const MAX_ATTEMPTS = 2
const ATTEMPT_TIMEOUT_MS = 6000
const RETRY_PAUSE_MS = 200
const MAX_REDIRECTS = 3
const MAX_BYTES = 32 * 1024 * 1024
/** Octokit parses error bodies on the event loop. */
const MAX_ERROR_BYTES = 256 * 1024
const DEFAULT_PAUSE_SECONDS = 60
const MAX_PAUSED_TOKENS = 10_000
const MAX_CONCURRENT = 50
const REDIRECTS = [301, 302, 307, 308]

/** Reports every call, with or without a response. */
export function reportCalls(send: Send, onCall: ((call: HostCall) => void) | undefined): Send {
  if (!onCall) return send
  return async (url, init) => {
    const started = performance.now()
    const report = (status: number | undefined, remaining?: string | null) =>
      onCall({
        status,
        seconds: (performance.now() - started) / 1000,
        remaining: remaining && /^\d+$/.test(remaining) ? Number(remaining) : undefined,
        isConditional: new Headers(init.headers).has('if-none-match'),
      })
    try {
      const response = await send(url, init)
      report(response.status, response.headers.get('x-ratelimit-remaining'))
      return response
    } catch (error) {
      report(error instanceof HostUnavailable ? error.status : undefined)
      throw error
    }
  }
}

/** A `fetch` for the code host with a timeout per attempt. It reads the whole body and, until `closing`, retries once. */
export function sendUntil(closing: AbortSignal): Send {
  return (url, init) => send(url, init, closing)
}

async function send(url: string, init: RequestInit, closing: AbortSignal): Promise<Response> {
  const signals = init.signal ? [closing, init.signal] : [closing]
  const limits = { milliseconds: ATTEMPT_TIMEOUT_MS, signals }
  for (let attempt = 1; ; attempt++) {
    const response = abortable(limits, (signal) => sendOnce(url, { ...init, signal }))
    const outcome = await response.catch((error: Error) => {
      if (error instanceof HostUnavailable) throw error
      return error
    })
    if (outcome instanceof Response && outcome.status < 500) return outcome
    if (attempt === MAX_ATTEMPTS || signals.some(({ aborted }) => aborted)) throw unavailable(outcome)
    await sleep(RETRY_PAUSE_MS)
  }
}

function unavailable(outcome: Response | Error): HostUnavailable {
  if (outcome instanceof Error)
    return new HostUnavailable('The code host did not answer.', undefined, { cause: outcome })
  return new HostUnavailable(`The code host answered ${outcome.status}.`, outcome.status, {
    retryAfter: retryAfterOf(outcome),
  })
}

async function sendOnce(url: string, init: RequestInit): Promise<Response> {
  let target = new URL(url)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await fetch(target, { ...init, redirect: 'manual' })
    const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null
    if (location === null) return await readWhole(response)
    await response.body?.cancel()
    const next = new URL(location, target)
    // The request carries a token: it follows redirects to a renamed repository, but never to another host.
    if (next.origin !== target.origin)
      throw new HostUnavailable('The code host redirected to another host.', response.status)
    target = next
  }
  throw new HostUnavailable('The code host redirected too often.', 310)
}

async function readWhole(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = []
  const maxBytes = response.ok ? MAX_BYTES : MAX_ERROR_BYTES
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw response.ok ? new HostAnswerTooLarge() : unavailable(response)
    chunks.push(chunk)
  }
  const hasNoBody = response.status === 204 || response.status === 304
  const { status, headers } = response
  return new Response(hasNoBody ? null : Buffer.concat(chunks), { status, headers })
}

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
  /** When the code host last asked to wait, or was last tried. */
  lastTrial: number
  nextTrial: number
}

export interface Pausing {
  send: Send
  /** Makes the next call with this token a trial, unless there was one since an operator resumed the service. */
  tryNow(init: RequestInit, resumedAt: Date): void
}

/**
 * Remembers until when each token is rate-limited, so that further calls fail at once without asking the code host, but
 * for one trial after each interval. Searches, below `searchUrl`, have a limit of their own.
 */
export function pauseRateLimited(sendRequest: Send, now: () => Date, searchUrl: string): Pausing {
  const pauses = new Map<string, Pause>()
  /** Other calls wait for the outcome of a trial. */
  const trials = new Map<string, Promise<unknown>>()

  /** Returns whether the call is the trial of a pause. */
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

function retryAfterOf({ headers }: Response): number | undefined {
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
