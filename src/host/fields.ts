import { HostUnavailable } from './errors.ts'

export type Maybe<T> = T | null | undefined
export type ApiAuthor = Maybe<{ login: string; type?: string }>
/** Issues may list labels by name only. */
export type ApiLabels = Maybe<(string | Maybe<{ name?: string }>)[]>

/** The name that the code host gives to authors whose account was deleted. */
const DELETED_USER = 'ghost'
const MAX_LABELS = 100
const MAX_LABEL_LENGTH = 100

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

export function isBot(author: ApiAuthor): boolean {
  return author?.type === 'Bot' || toLogin(author).endsWith('[bot]')
}

/** Drops names that the contract or the database does not accept. */
export function toLabels(labels: ApiLabels): string[] {
  if (!Array.isArray(labels)) return []
  return labels
    .map((label) => (typeof label === 'string' ? label : label?.name))
    .filter((name): name is string => isText(name, MAX_LABEL_LENGTH) && name?.isWellFormed() === true)
    .slice(0, MAX_LABELS)
}

/** Null if it is missing, empty or too long. */
export function textOf(value: Maybe<string>, maxLength: number): string | null {
  return typeof value === 'string' && isText(value, maxLength) ? value : null
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
  requireValid(urlOf(value) !== null)
  return value
}

export function urlOf(value: Maybe<string>): string | null {
  const text = textOf(value, 2000)
  return text !== null && /^https?:\/\//.test(text) && URL.canParse(text) ? text : null
}

export function toCommitId(value: string): string {
  requireValid(objectIdOf(value) !== null)
  return value
}

/** The id of a commit or of a file's content. */
export function objectIdOf(value: Maybe<string>): string | null {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value) ? value : null
}

export function isPath(value: Maybe<string>): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 4096
}

export function oneOf<const T extends string>(known: readonly T[], value: string): T {
  requireValid((known as readonly string[]).includes(value))
  return value as T
}
