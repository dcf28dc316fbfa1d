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
