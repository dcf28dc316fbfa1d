import { HostUnavailable } from './errors.ts'

export type Maybe<T> = T | null | undefined
export type ApiAuthor = Maybe<{ login: string }>

/** The code host's name for the authors of texts whose account was deleted. */
const DELETED_USER = 'ghost'

/** Rejects data from the code host that the contract does not allow. */
export function requireValid(isValid: boolean): void {
  if (!isValid) throw new HostUnavailable('The response of the code host is not valid.', 200)
}

export function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0
}

export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

export function isText(value: unknown, maxLength: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= maxLength && !value.includes('\0')
}

export function isOptionalText(value: unknown): boolean {
  return value === undefined || value === null || value === '' || isText(value, 1000)
}

export function isName(value: unknown): boolean {
  return isText(value, 100) && /^\.{0,2}[\w-][\w.-]*$/.test(value as string)
}

export function toLogin(author: ApiAuthor): string {
  return author && isText(author.login, 255) ? author.login : DELETED_USER
}

/** Longer than any stored text, so that cutting it here loses nothing. */
const MAX_BODY_LENGTH = 100_000

export function toBody(body: Maybe<string>): string {
  return typeof body === 'string' ? body.slice(0, MAX_BODY_LENGTH) : ''
}

export function toTime(value: string): string {
  const time = timeOf(value)
  requireValid(time !== null)
  return time as string
}

/** Null if invalid: the author of a commit can claim any time. */
export function timeOf(value: Maybe<string>): string | null {
  const time = typeof value === 'string' ? new Date(value) : null
  if (!time || Number.isNaN(time.getTime())) return null
  const text = time.toISOString()
  return /^\d{4}-/.test(text) ? text : null
}

export function toUrl(value: string): string {
  requireValid(isText(value, 2000) && /^https?:\/\//.test(value) && URL.canParse(value))
  return value
}

export function toCommitId(value: string): string {
  requireValid(typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value))
  return value
}

export function isPath(value: Maybe<string>): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 4096
}

export function oneOf<const T extends string>(known: readonly T[], value: string): T {
  requireValid((known as readonly string[]).includes(value))
  return value as T
}
