import { setTimeout as sleep } from 'node:timers/promises'
import { abortable } from '../lib/abortable.ts'
import type { Secret } from '../lib/secret.ts'
import { HostAnswerTooLarge, HostUnavailable } from './errors.ts'
import { retryAfterOf, type Send } from './rateLimits.ts'

export interface HostCall {
  /** Undefined without a response. */
  status: number | undefined
  seconds: number
  /** The number of calls left in the token's rate limit, if the code host reports it. */
  remaining: number | undefined
  /** Whether the call sent an ETag. */
  isConditional: boolean
  /** Whose token the call used. */
  token: 'service' | 'user' | 'none'
}

const MAX_ATTEMPTS = 2
const ATTEMPT_TIMEOUT_MS = 6000
const RETRY_PAUSE_MS = 200
const MAX_REDIRECTS = 3
const MAX_BYTES = 32 * 1024 * 1024
/** Larger error bodies are not read, because Octokit parses them on the event loop. */
const MAX_ERROR_BYTES = 256 * 1024
const REDIRECTS = [301, 302, 307, 308]

/** Reports every call, with or without a response. `serviceToken` tells the calls of the service from those of users. */
export function reportCalls(
  send: Send,
  onCall: ((call: HostCall) => void) | undefined,
  serviceToken: Secret | undefined,
): Send {
  if (!onCall) return send
  const ofService = serviceToken && `Bearer ${serviceToken.reveal()}`
  return async (url, init) => {
    const started = performance.now()
    const headers = new Headers(init.headers)
    const authorization = headers.get('authorization')
    const report = (status: number | undefined, remaining?: string | null) =>
      onCall({
        status,
        seconds: (performance.now() - started) / 1000,
        remaining: remaining && /^\d+$/.test(remaining) ? Number(remaining) : undefined,
        isConditional: headers.has('if-none-match'),
        token: authorization === null ? 'none' : authorization === ofService ? 'service' : 'user',
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

/**
 * A `fetch` for the code host with a timeout per attempt. It reads the whole body, and retries once unless `closing`
 * has aborted.
 */
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
