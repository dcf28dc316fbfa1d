import { expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.ts'
import { type AskModel, type ModelAnswer, type ModelCall, NO_USAGE } from '../../src/model/call.ts'
import { ModelUnavailable, WindowTooSmall } from '../../src/model/errors.ts'
import type { ModelConfig } from '../../src/runtime/config/config.ts'
import { openModelBudget } from '../../src/writer/modelBudget.ts'

const config: ModelConfig = {
  apiKey: new Secret('sk-fake-0123456789'),
  baseUrl: undefined,
  names: ['m'],
  reasoningEffort: undefined,
  automaticTier: 'flex',
  tokensPerCall: 64_000,
  outputTokensPerCall: 32_000,
  secondsPerCall: 180,
  callsPerArticle: 12,
  tokensPerArticle: 800_000,
  tokensPerDay: 1_000_000,
  prices: {},
}
const prompt = { messages: [{ role: 'user' as const, content: 'Write.' }], tokens: 5000 }
const shape = { leftOut: new Set<never>(), maxOutputTokens: 32_000, effort: undefined }
const answered: ModelAnswer = { ...NO_USAGE, content: '{}', inputTokens: 5000, refusal: null, cutOff: false, shape }

function budgetOf(ask: AskModel, tier?: string) {
  const happened = { settled: 0, down: 0 }
  const budget = openModelBudget({
    ask,
    config,
    tier,
    now: () => new Date(),
    signal: new AbortController().signal,
    countTokens: async () => 1,
    dailyTokens: {
      reserve: async (_, tokens) => {
        happened.settled += tokens
        return true
      },
      settle: async (_, difference) => {
        happened.settled += difference
      },
    },
    onAnswered: async () => {},
    onUnavailable: async () => {
      happened.down += 1
    },
  })
  return { budget, happened, ask: () => budget.asking('m')(prompt, { type: 'object' }) }
}

test('if the cheaper tier is busy, repeats concurrent calls in the normal tier', async () => {
  const tiers: (string | undefined)[] = []
  const { ask, budget, happened } = budgetOf(async ({ tier }: ModelCall) => {
    tiers.push(tier)
    if (tier) throw new ModelUnavailable('The model answered 429.', { status: 429 })
    return answered
  }, 'flex')
  await Promise.all([ask(), ask(), ask(), ask()])
  expect(tiers).toEqual(['flex', 'flex', 'flex', 'flex', undefined, undefined, undefined, undefined])
  expect([happened.down, budget.spent.calls]).toEqual([0, 4])
})

test.each([
  ['before anything was sent', undefined, 0],
  ['by a canary', { ...NO_USAGE, inputTokens: 9000, outputTokens: 20 }, 9020],
])('counts the model tokens spent if the context window is found too small %s', async (_, usage, tokens) => {
  const { ask, budget, happened } = budgetOf(async () => {
    throw new WindowTooSmall(5000, 4096, usage && { usage })
  })
  await expect(ask()).rejects.toThrow(WindowTooSmall)
  expect(happened.settled).toBe(tokens)
  expect(budget.spent.inputTokens + budget.spent.outputTokens).toBe(tokens)
})

test.each([
  ['a silent model', true, 5000],
  ['a model that refused the call', false, 0],
])('counts the prompt of %s against the daily limit only if it may have been read', async (_, silent, tokens) => {
  const { ask, happened } = budgetOf(async () => {
    throw new ModelUnavailable('The model is down.', { passing: false, silent })
  })
  await expect(ask()).rejects.toThrow(ModelUnavailable)
  expect(happened.settled).toBe(tokens)
})
