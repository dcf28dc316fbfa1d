import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import { abortable } from '../lib/abortable.ts'
import { HostAnswerTooLarge, HostRateLimited, HostUnavailable, MAX_REST_SECONDS } from './errors.ts'

/** What came of one call. */
export interface HostCall {
  /** Undefined where it did not answer. */
  status: number | undefined
  seconds: number
  /** How many calls its limit leaves for the token, where it says. */
  remaining: number | undefined
  /** Whether it was asked for only what is new. */
  isConditional: boolean
}

type Send = (url: string, init: RequestInit) => Promise<Response>

const TRIES = 2
const TRY_MS = 6000
const PAUSE_MS = 200
const MAX_REDIRECTS = 3
const MAX_BYTES = 32 * 1024 * 1024
/** Octokit parses these on the event loop. */
const MAX_ERROR_BYTES = 256 * 1024
const REST_SECONDS = 60
const MAX_RESTING = 10_000
const MAX_AT_ONCE = 50
const REDIRECTS = [301, 302, 307, 308]

/** Tells of every answer, and of every time that there was none. */
export function watched(send: Send, onCall: ((call: HostCall) => void) | undefined): Send {
  if (!onCall) return send
  return async (url, init) => {
    const started = performance.now()
    const tell = (status: number | undefined, remaining?: string | null) =>
      onCall({
        status,
        seconds: (performance.now() - started) / 1000,
        remaining: remaining && /^\d+$/.test(remaining) ? Number(remaining) : undefined,
        isConditional: new Headers(init.headers).has('if-none-match'),
      })
    try {
      const response = await send(url, init)
      tell(response.status, response.headers.get('x-ratelimit-remaining'))
      return response
    } catch (error) {
      tell(error instanceof HostUnavailable ? error.status : undefined)
      throw error
    }
  }
}

/** A `fetch` for the code host: every try is timed and read whole, and one fault is forgiven until `closing`. */
export function sendUntil(closing: AbortSignal): Send {
  return (url, init) => send(url, init, closing)
}

async function send(url: string, init: RequestInit, closing: AbortSignal): Promise<Response> {
  const signals = init.signal ? [closing, init.signal] : [closing]
  const limits = { milliseconds: TRY_MS, signals }
  for (let attempt = 1; ; attempt++) {
    const trying = abortable(limits, (signal) => sendOnce(url, { ...init, signal }))
    const outcome = await trying.catch((error: Error) => {
      if (error instanceof HostUnavailable) throw error
      return error
    })
    if (outcome instanceof Response && outcome.status < 500) return outcome
    if (attempt === TRIES || signals.some(({ aborted }) => aborted)) throw unavailable(outcome)
    await sleep(PAUSE_MS)
  }
}

function unavailable(outcome: Response | Error): HostUnavailable {
  if (outcome instanceof Error) return new HostUnavailable('It did not answer.', undefined, { cause: outcome })
  return new HostUnavailable(`It answered ${outcome.status}.`, outcome.status, { retryAfter: retryAfterOf(outcome) })
}

async function sendOnce(url: string, init: RequestInit): Promise<Response> {
  let target = new URL(url)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await fetch(target, { ...init, redirect: 'manual' })
    const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null
    if (location === null) return await readWhole(response)
    await response.body?.cancel()
    const next = new URL(location, target)
    // The request carries a token: it follows the host to a repository's new name, never to another host.
    if (next.origin !== target.origin) throw new HostUnavailable('It redirected to another host.', response.status)
    target = next
  }
  throw new HostUnavailable('It redirected too often.', 310)
}

async function readWhole(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = []
  const mostBytes = response.ok ? MAX_BYTES : MAX_ERROR_BYTES
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) throw response.ok ? new HostAnswerTooLarge() : unavailable(response)
    chunks.push(chunk)
  }
  const bodiless = response.status === 204 || response.status === 304
  const { status, headers } = response
  return new Response(bodiless ? null : Buffer.concat(chunks), { status, headers })
}

/** Many calls at once on one token would look like abuse: those beyond a few wait for their turn. */
export function politely(sendRequest: Send): Send {
  const turns = new Map<string, LimitFunction>()
  return async (url, init) => {
    const token = tokenOf(init)
    const turn = turns.get(token) ?? pLimit(MAX_AT_ONCE)
    turns.set(token, turn)
    return turn(() => sendRequest(url, init)).finally(() => {
      if (turn.activeCount + turn.pendingCount === 0) turns.delete(token)
    })
  }
}

/** Remembers how long each token must rest, so that a spent limit is answered at once and not asked again. */
export function restingTokens(sendRequest: Send, now: () => Date): Send {
  const restUntil = new Map<string, number>()
  return async (url, init) => {
    const token = tokenOf(init)
    const rest = (restUntil.get(token) ?? 0) - now().getTime()
    if (rest > 0) throw new HostRateLimited(Math.ceil(rest / 1000))
    restUntil.delete(token)
    const response = await sendRequest(url, init)
    const seconds = await secondsToRest(response, now)
    if (seconds === undefined) return response
    // Another call's answer may have told it to rest longer.
    restUntil.set(token, Math.max(restUntil.get(token) ?? 0, now().getTime() + seconds * 1000))
    const [oldest] = restUntil.keys()
    if (restUntil.size > MAX_RESTING && oldest !== undefined) restUntil.delete(oldest)
    throw new HostRateLimited(seconds)
  }
}

async function secondsToRest(response: Response, now: () => Date): Promise<number | undefined> {
  const { status, headers } = response
  if (status !== 403 && status !== 429) return undefined
  const retryAfter = retryAfterOf(response)
  if (retryAfter !== undefined) return retryAfter
  if (headers.get('x-ratelimit-remaining') === '0')
    return bounded(Number(headers.get('x-ratelimit-reset')) - now().getTime() / 1000)
  const limited = status === 429 || /rate limit/i.test(await response.clone().text())
  return limited ? REST_SECONDS : undefined
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
  return Number.isNaN(seconds) ? REST_SECONDS : Math.min(Math.max(Math.ceil(seconds), 1), MAX_REST_SECONDS)
}
