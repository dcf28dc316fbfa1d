import { clipToTokens, jsonTokenBound } from './tokenBound.ts'

/** Tokens added to each item for its separators. */
const TOKENS_PER_ITEM = 2

/** The tokens that are left in an answer. */
export interface TokenBudget {
  /** Spends the tokens of a value; false if it does not fit. */
  take(value: unknown): boolean
  /** The first items that fit. */
  first<T>(items: T[]): T[]
  /** A budget of at most this share of what is left. */
  part(share: number): TokenBudget
}

export function createTokenBudget(tokens: number): TokenBudget {
  return openBudget([{ left: tokens }])
}

/** `limits`: the tokens that are left in this budget and in each budget that contains it. */
function openBudget(limits: [{ left: number }, ...{ left: number }[]]): TokenBudget {
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
    part: (share) => openBudget([{ left: limits[0].left * share }, ...limits]),
  }
}

/** A text of at most `max` tokens; null stays null. */
export function clipped<T extends string | null>(text: T, max: number): T {
  return (text === null ? null : clipToTokens(text, max)) as T
}
