import { clipToTokens, jsonTokenBound } from './tokenBound.ts'

/** Separators between items. */
const TOKENS_PER_ITEM = 2

/** The tokens that are left in an answer. */
export interface Room {
  /** Takes the room for a value; false if it does not fit. */
  take(value: unknown): boolean
  /** The first items that fit. */
  first<T>(items: T[]): T[]
  /** Room that takes at most this share of what is left. */
  part(share: number): Room
}

export function createRoom(tokens: number, within?: Room): Room {
  let left = tokens
  function take(value: unknown): boolean {
    const needed = jsonTokenBound(value) + TOKENS_PER_ITEM
    if (needed > left || (within && !within.take(value))) return false
    left -= needed
    return true
  }
  const room: Room = {
    take,
    first(items) {
      const end = items.findIndex((item) => !take(item))
      return end === -1 ? items : items.slice(0, end)
    },
    part: (share) => createRoom(left * share, room),
  }
  return room
}

/** A text of at most `max` tokens; null stays null. */
export function clipped<T extends string | null>(text: T, max: number): T {
  return (text === null ? null : clipToTokens(text, max)) as T
}
