import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Secret } from '../lib/secret.ts'

const SIGNATURE_HEADER = 'x-hub-signature-256'
const SIGNATURE = /^sha256=([0-9a-f]{64})$/
const EVENT_HEADER = 'x-github-event'
const USED_EVENTS = ['pull_request', 'repository', 'public']

/** A webhook delivery after which the repository is checked. Nothing else of the delivery is used. */
export interface Hint {
  about: 'closed pull request' | 'repository'
  hostRepoId: number
}

interface SignatureCheck {
  add(bytes: Uint8Array): void
  /** Whether one of the secrets signed all bytes that were added. Can be called once. */
  isValid(): boolean
}

/** Undefined if the headers have no signature. */
export function startSignatureCheck(secrets: Secret[], headers: IncomingHttpHeaders): SignatureCheck | undefined {
  const [, digits] = SIGNATURE.exec(textOf(headers[SIGNATURE_HEADER]) ?? '') ?? []
  if (digits === undefined) return undefined
  const sent = Buffer.from(digits, 'hex')
  const hmacs = secrets.map((secret) => createHmac('sha256', secret.reveal()))
  return {
    add: (bytes) => hmacs.forEach((hmac) => void hmac.update(bytes)),
    isValid: () => hmacs.map((hmac) => timingSafeEqual(hmac.digest(), sent)).includes(true),
  }
}

/** Whether a delivery of this event may hold a hint. */
export function isUsedEvent(headers: IncomingHttpHeaders): boolean {
  return USED_EVENTS.includes(textOf(headers[EVENT_HEADER]) ?? '')
}

/** The code host may add events and change payloads, so an unexpected delivery is not an error. */
export function hintOf(headers: IncomingHttpHeaders, payload: Record<string, unknown>): Hint | undefined {
  const hostRepoId = repositoryIdOf(payload)
  if (hostRepoId === undefined || !isUsedEvent(headers)) return undefined
  if (headers[EVENT_HEADER] !== 'pull_request') return { about: 'repository', hostRepoId }
  return payload['action'] === 'closed' ? { about: 'closed pull request', hostRepoId } : undefined
}

function repositoryIdOf({ repository }: Record<string, unknown>): number | undefined {
  const id = (repository as { id?: unknown } | null | undefined)?.id
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
