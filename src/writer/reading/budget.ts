export interface ReadingLimits {
  tokensPerCall: number
  callsPerArticle: number
  tokensPerArticle: number
}

/** Calls reserved for writing and corrections, which reading in parts may not use. */
const RESERVED_CALLS = 4

/** Covers the overhead of messages and the error of counting texts separately instead of together. */
export const SLACK = 200

/** How the tokens of a call are divided. */
export const share = {
  repair: (budget: number) => Math.floor(budget / 6),
  manifest: (budget: number) => Math.floor(budget / 6),
  description: (budget: number) => Math.floor(budget / 8),
  commits: (budget: number) => Math.floor(budget / 24),
  comments: (budget: number) => Math.floor(budget / 10),
  issues: (budget: number) => Math.floor(budget / 12),
  /** Description and commits in the prompt of a part. */
  introduction: (budget: number) => Math.floor(budget / 16),
}

export function maxParts({ tokensPerCall, callsPerArticle, tokensPerArticle }: ReadingLimits): number {
  const byTokens = Math.floor(tokensPerArticle / tokensPerCall) - RESERVED_CALLS
  return Math.max(1, Math.min(callsPerArticle - RESERVED_CALLS, byTokens))
}
