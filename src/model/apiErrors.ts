import { APIConnectionError, APIError, APIUserAbortError } from 'openai'
import { ModelUnavailable } from './errors.ts'
import { isAboutPrompt } from './readRefusal.ts'

const MAX_READ_CHARACTERS = 2000
const MAX_RETRY_AFTER_SECONDS = 3600

/**
 * Matches messages that show that the request is at fault, not the URL, the key or the account. Only for statuses that
 * can have several causes.
 */
const REFUSALS: Record<number, RegExp> = {
  // Routers send 404 if they have no endpoint for what the request asks for.
  404: /\bparameters?\b|response_format/i,
  403: /\bflagged\b|moderation/i,
  500: /context size has been exceeded/i,
}

/** What the operator must do about statuses for which waiting does not help. */
export const REMEDIES: Record<number, string> = {
  401: 'correct OPENAI_API_KEY',
  402: "raise the balance of the account at the model's provider",
  403: 'correct OPENAI_API_KEY, or allow it to use this model',
  404: 'correct OPENAI_MODEL (or OPENAI_FALLBACK_MODEL) and the path of OPENAI_BASE_URL',
}

/** Whether the server rejected the request itself, because of its format or its content. */
export function isRefusal(error: unknown): error is APIError {
  if (!(error instanceof APIError)) return false
  const { status } = error
  // Some servers send errors inside an answer, without a status.
  if (status === undefined) return isAboutPrompt(error)
  return (
    [400, 413, 422].includes(status) || REFUSALS[status]?.test(error.message.slice(0, MAX_READ_CHARACTERS)) === true
  )
}

/**
 * Converts an error to ModelUnavailable. Leaves out the server's own message, which may quote the key or the prompt.
 */
export function unavailable(error: unknown): ModelUnavailable {
  if (error instanceof APIUserAbortError || error instanceof APIConnectionError || !(error instanceof APIError))
    return new ModelUnavailable('The model did not answer.', { silent: true, cause: nameOf(error) })
  const { status } = error
  const remedy = status ? REMEDIES[status] : undefined
  const message = status ? `The model answered ${status}.` : 'The model answered with an error.'
  return new ModelUnavailable(remedy ? `${message} The operator must ${remedy}.` : message, {
    status,
    retryAfter: retryAfterOf(error),
    passing: status === undefined || status >= 500 || status === 429 || status === 408 || status === 409,
  })
}

function nameOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  return [error instanceof Error ? error.name : typeof error, cause?.code].filter(Boolean).join(' ')
}

function retryAfterOf({ headers }: APIError): number | undefined {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (milliseconds >= 0) return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(milliseconds / 1000)))
  const header = headers?.get('retry-after')
  if (!header) return undefined
  const seconds = Number.isNaN(Number(header)) ? (Date.parse(header) - Date.now()) / 1000 : Number(header)
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(seconds))) : undefined
}
