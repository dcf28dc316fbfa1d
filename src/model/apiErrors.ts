import { APIConnectionError, APIError, APIUserAbortError } from 'openai'
import { ModelUnavailable } from './errors.ts'

const MAX_RETRY_AFTER_SECONDS = 3600

/** Whether the server rejected the request itself, because of its format or its content. */
export function isRefusal(error: unknown): error is APIError {
  return error instanceof APIError && [400, 413, 422].includes(error.status ?? 0)
}

export function isAboutThePrompt({ status, code }: APIError): boolean {
  return status === 413 || code === 'content_filter' || code === 'context_length_exceeded'
}

/** Leaves out the server's own message, which may quote the key or the prompt. */
export function unavailable(error: unknown): ModelUnavailable {
  if (error instanceof APIUserAbortError || error instanceof APIConnectionError || !(error instanceof APIError))
    return new ModelUnavailable('The model did not answer.', { silent: true, cause: nameOf(error) })
  const { status } = error
  return new ModelUnavailable(status ? `The model answered ${status}.` : 'The model answered with an error.', {
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
