import { expect, test } from 'vitest'
import {
  conversationShares,
  freeTokens,
  manifestShare,
  maxParts,
  SLACK,
  share,
} from '../../src/writer/reading/budget.ts'

const CALLS = [8000, 12_000, 32_000, 64_000, 200_000]
const INSTRUCTIONS = 4000

test.each([
  [8000, 2467],
  [64_000, 49_134],
])('with %d tokens per call, the repair turn and the instructions leave %d tokens free', (tokensPerCall, free) => {
  expect(freeTokens(tokensPerCall, INSTRUCTIONS)).toBe(free)
})

test.each(CALLS)('all shares of the token budget together fit into a call of %d tokens', (tokensPerCall) => {
  for (const facts of [0, 500, 5000]) {
    const conversation = conversationShares(tokensPerCall, INSTRUCTIONS, facts)
    const said = Object.values(conversation).reduce((sum, tokens) => sum + tokens, 0)
    const manifest = manifestShare(tokensPerCall, INSTRUCTIONS, facts + said)
    const notes = (tokensPerCall - INSTRUCTIONS) / 5
    const fixed = INSTRUCTIONS + share.repair(tokensPerCall) + SLACK + notes
    const left = Math.max(0, tokensPerCall - fixed - facts)
    expect(said + manifest).toBeLessThanOrEqual(left)
  }
})

test.each([
  [{ tokensPerCall: 64_000, callsPerArticle: 12, tokensPerArticle: 800_000 }, 8],
  [{ tokensPerCall: 64_000, callsPerArticle: 12, tokensPerArticle: 500_000 }, 3],
  [{ tokensPerCall: 64_000, callsPerArticle: 5, tokensPerArticle: 800_000 }, 1],
  [{ tokensPerCall: 64_000, callsPerArticle: 1, tokensPerArticle: 128_000 }, 1],
])('with the limits %j, a pull request is read in at most %d parts', (limits, parts) => {
  expect(maxParts(limits)).toBe(parts)
})
