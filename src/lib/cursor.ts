import { Problem } from '../errors.ts'

/** The sort values of the last row on a page: numbers, or ids and numbers as text. */
export type CursorValues = (number | string)[]

/** The position after a row, for clients to send back. */
export function encodeCursor(values: CursorValues): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** The values of a cursor, if each has the type that the list expects. */
export function decodeCursor<Values extends CursorValues>(
  cursor: string | undefined,
  isValid: (values: unknown[]) => boolean,
): Values | undefined {
  if (cursor === undefined) return undefined
  const values = parsed(cursor)
  if (!Array.isArray(values) || !isValid(values))
    throw new Problem('VALIDATION_ERROR', 'The cursor is not one that this list returned. Start again without it.')
  return values as Values
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** The largest offset: lists that are paged by offset end there. */
const MAX_OFFSET = 10_000

interface Start {
  cursor?: string | undefined
  offset?: number
}

/** Throws if a request says in two ways where its page starts. */
export function requireOneStart({ cursor, offset = 0 }: Start): void {
  if (cursor !== undefined && offset > 0)
    throw new Problem('VALIDATION_ERROR', 'Send either `cursor` or `offset`, not both.')
}

/** Where a page starts, in a list whose cursors hold an offset. */
export function offsetOf(start: Start): number {
  requireOneStart(start)
  const values = decodeCursor<[number]>(start.cursor, ([offset]) => isOffset(offset))
  return values?.[0] ?? start.offset ?? 0
}

/** The cursor of the page that starts at `offset`; null if no page does. */
export function cursorAt(offset: number, exists: boolean): string | null {
  return exists && offset <= MAX_OFFSET ? encodeCursor([offset]) : null
}

export function isOffset(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_OFFSET
}

const MAX_TIME = 8.64e15
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Negative times are refused: the database does not accept all of them. */
export function isTime(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TIME
}

export function isInteger32(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31
}

export function isUuid(value: unknown): boolean {
  return typeof value === 'string' && UUID.test(value)
}
