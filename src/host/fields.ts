import { HostUnavailable } from './errors.ts'

export type Maybe<T> = T | null | undefined
export type ApiAuthor = Maybe<{ login: string }>

/** Deleted accounts leave their words behind under this name. */
const NOBODY = 'ghost'

/** Nothing of the code host's goes on that the contract could not show. */
export function understood(fits: boolean): void {
  if (!fits) throw new HostUnavailable('Its answer cannot be understood.', 200)
}

export function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0
}

export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

export function isText(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= longest && !value.includes('\0')
}

export function isOptionalText(value: unknown): boolean {
  return value === undefined || value === null || value === '' || isText(value, 1000)
}

export function isName(value: unknown): boolean {
  return isText(value, 100) && /^\.{0,2}[\w-][\w.-]*$/.test(value as string)
}

export function toLogin(author: ApiAuthor): string {
  return author && isText(author.login, 255) ? author.login : NOBODY
}

/** Longer than any text that is kept, so that cutting it here loses nothing. */
const MAX_BODY = 100_000

export function toBody(body: Maybe<string>): string {
  return typeof body === 'string' ? body.slice(0, MAX_BODY) : ''
}

export function toTime(value: string): string {
  const time = timeOf(value)
  understood(time !== null)
  return time as string
}

/** Of a commit anyone may claim any time, even one that no calendar has. */
export function timeOf(value: Maybe<string>): string | null {
  const time = typeof value === 'string' ? new Date(value) : null
  if (!time || Number.isNaN(time.getTime())) return null
  const text = time.toISOString()
  return /^\d{4}-/.test(text) ? text : null
}

export function toUrl(value: string): string {
  understood(isText(value, 2000) && /^https?:\/\//.test(value) && URL.canParse(value))
  return value
}

export function toCommitId(value: string): string {
  understood(typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value))
  return value
}

export function isPath(value: Maybe<string>): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 4096
}

export function oneOf<const T extends string>(known: readonly T[], value: string): T {
  understood((known as readonly string[]).includes(value))
  return value as T
}
