import type { Usage } from '../../model/call.ts'

/** Prices per million tokens. */
export interface Prices {
  input: number
  output: number
  /**
   * The price of input tokens that the server read from its cache. `cacheWrite` is that of tokens that it wrote to the
   * cache.
   */
  cached: number
  cacheWrite: number
}

/**
 * The cost of tokens; undefined if the model has no price. Cached and cache-write tokens have prices of their own. Some
 * servers do not include them in the input tokens: then all input tokens have the plain price.
 */
export function costOf(
  { inputTokens, cachedTokens, cacheWriteTokens, outputTokens }: Usage,
  prices: Prices | undefined,
): number | undefined {
  if (!prices) return undefined
  const pricedApart = cachedTokens + cacheWriteTokens
  const plainTokens = pricedApart > inputTokens ? inputTokens : inputTokens - pricedApart
  const input = plainTokens * prices.input + cachedTokens * prices.cached + cacheWriteTokens * prices.cacheWrite
  return (input + outputTokens * prices.output) / 1_000_000
}

/** The most that so many tokens can cost, of whatever kind they are. */
export function highestCostOf(tokens: number, { input, output, cached, cacheWrite }: Prices): number {
  return (tokens * Math.max(input, output, cached, cacheWrite)) / 1_000_000
}
