export interface ReadingLimits {
  tokensPerCall: number
  callsPerArticle: number
  tokensPerArticle: number
}

/** Model calls reserved for writing and corrections. Taking notes on parts may not use them. */
const RESERVED_CALLS = 4

/** Tokens kept free for the overhead of messages and for the error of counting texts separately instead of together. */
export const SLACK = 200

/** How the tokens of a call are divided. */
export const share = {
  repair: (budget: number) => Math.floor(budget / 6),
  /** For each fact about the pull request, such as the title or the labels. */
  fact: (budget: number) => Math.floor(budget / 100),
  /** Tokens for the description and the commits in a prompt that asks the model for notes on one part. */
  introduction: (budget: number) => Math.floor(budget / 16),
}

/** The tokens for each part of a conversation in the prompts that write an article. */
export interface Shares {
  description: number
  commits: number
  comments: number
  issues: number
}

const MANIFEST = 1 / 6
const CONVERSATION: Shares = { description: 1 / 8, commits: 1 / 24, comments: 1 / 10, issues: 1 / 12 }
const TOTAL = Object.values(CONVERSATION).reduce((sum, part) => sum + part, MANIFEST)
/** The share of the notes in the tokens that the instructions leave. */
const NOTES = 1 / 5

/** The tokens of a call for everything but the instructions and the second turn. */
export function freeTokens(tokensPerCall: number, instructions: number): number {
  return tokensPerCall - share.repair(tokensPerCall) - instructions - SLACK
}

/** The free tokens minus those for the notes, which only a pull request that is read in parts needs. */
function tokensBesideNotes(tokensPerCall: number, instructions: number): number {
  return freeTokens(tokensPerCall, instructions) - (tokensPerCall - instructions) * NOTES
}

/**
 * Divides the tokens that instructions, notes and `facts` leave. With a small limit all shares shrink, to leave room
 * for the notes.
 */
export function conversationShares(tokensPerCall: number, instructions: number, facts: number): Shares {
  const left = Math.max(0, tokensBesideNotes(tokensPerCall, instructions) - facts)
  const whole = Math.min(tokensPerCall, left / TOTAL)
  return {
    description: Math.floor(whole * CONVERSATION.description),
    commits: Math.floor(whole * CONVERSATION.commits),
    comments: Math.floor(whole * CONVERSATION.comments),
    issues: Math.floor(whole * CONVERSATION.issues),
  }
}

/**
 * The tokens for the list of files: those that the conversation leaves, but at most the share of the list in a call.
 */
export function manifestShare(tokensPerCall: number, instructions: number, conversation: number): number {
  const left = Math.max(0, tokensBesideNotes(tokensPerCall, instructions) - conversation)
  return Math.floor(Math.min(tokensPerCall * MANIFEST, left))
}

export function maxParts({ tokensPerCall, callsPerArticle, tokensPerArticle }: ReadingLimits): number {
  const byTokens = Math.floor(tokensPerArticle / tokensPerCall) - RESERVED_CALLS
  return Math.max(1, Math.min(callsPerArticle - RESERVED_CALLS, byTokens))
}
