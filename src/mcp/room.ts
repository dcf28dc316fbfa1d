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

export function createRoom(tokens: number): Room {
  return openRoom([{ left: tokens }])
}

/** `limits`: that of the room, and of those that it is part of. */
function openRoom(limits: [{ left: number }, ...{ left: number }[]]): Room {
  function take(value: unknown): boolean {
    const needed = jsonTokenBound(value) + TOKENS_PER_ITEM
    if (limits.some(({ left }) => left < needed)) return false
    for (const limit of limits) limit.left -= needed
    return true
  }
  return {
    take,
    first(items) {
      const end = items.findIndex((item) => !take(item))
      return end === -1 ? items : items.slice(0, end)
    },
    part: (share) => openRoom([{ left: limits[0].left * share }, ...limits]),
  }
}

/** A text of at most `max` tokens; null stays null. */
export function clipped<T extends string | null>(text: T, max: number): T {
  return (text === null ? null : clipToTokens(text, max)) as T
}
