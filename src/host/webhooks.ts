import type { IncomingHttpHeaders } from 'node:http'
import { verifyWithFallback } from '@octokit/webhooks-methods'
import type { Secret } from '../lib/secret.ts'

const SIGNATURE_HEADER = 'x-hub-signature-256'
const EVENT_HEADER = 'x-github-event'

/** A delivery that is worth a look at the repository. Nothing else of it is used. */
export interface Hint {
  about: 'closed pull request' | 'repository'
  hostRepoId: number
}

/** Whether one of the secrets signed this body. */
export async function isSigned(secrets: Secret[], text: string, headers: IncomingHttpHeaders): Promise<boolean> {
  const signature = textOf(headers[SIGNATURE_HEADER])
  const [first, ...others] = secrets.map((secret) => secret.reveal())
  if (first === undefined || !signature) return false
  return verifyWithFallback(first, text, signature, others)
}

/** The code host may add events and change payloads, so an unexpected one is no error. */
export function hintOf(headers: IncomingHttpHeaders, payload: Record<string, unknown>): Hint | undefined {
  const hostRepoId = repositoryIdOf(payload)
  if (hostRepoId === undefined) return undefined
  const event = textOf(headers[EVENT_HEADER])
  if (event === 'pull_request' && payload['action'] === 'closed') return { about: 'closed pull request', hostRepoId }
  if (event === 'repository' || event === 'public') return { about: 'repository', hostRepoId }
  return undefined
}

function repositoryIdOf({ repository }: Record<string, unknown>): number | undefined {
  const id = (repository as { id?: unknown } | null | undefined)?.id
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
