export interface ReadingLimits {
  tokensPerCall: number
  callsPerArticle: number
  tokensPerArticle: number
}

/** Calls that are kept back from reading in parts: to write, and to put right. */
const CALLS_KEPT_BACK = 4

/** What a message takes beyond its text, and what counting texts apart may miss of counting them together. */
export const SLACK = 200

/** Shares of the tokens of a call. */
export const share = {
  repair: (budget: number) => Math.floor(budget / 6),
  manifest: (budget: number) => Math.floor(budget / 4),
  description: (budget: number) => Math.floor(budget / 8),
  commits: (budget: number) => Math.floor(budget / 24),
  comments: (budget: number) => Math.floor(budget / 8),
  introduction: (budget: number) => Math.floor(budget / 24),
}

export function mostParts({ tokensPerCall, callsPerArticle, tokensPerArticle }: ReadingLimits): number {
  const byTokens = Math.floor(tokensPerArticle / tokensPerCall) - CALLS_KEPT_BACK
  return Math.max(1, Math.min(callsPerArticle - CALLS_KEPT_BACK, byTokens))
}
