import { expect, test } from 'vitest'
import { NO_USAGE } from '../../../src/model/call.ts'
import { readConfig } from '../../../src/runtime/config/config.ts'
import { costOf } from '../../../src/runtime/config/prices.ts'

const PRICES = { input: 2, output: 10, cached: 0.5, cacheWrite: 2.5 }

test.each([
  ['no cached tokens', { inputTokens: 1000 }, 0.002],
  ['some cached input tokens', { inputTokens: 1000, cachedTokens: 600, cacheWriteTokens: 200 }, 0.0012],
  ['cached input tokens only', { inputTokens: 1000, cachedTokens: 800, cacheWriteTokens: 200 }, 0.0009],
  ['cached tokens besides the input tokens', { inputTokens: 1000, cachedTokens: 2000 }, 0.003],
])('the cost of a call with %s', (_, usage, expected) => {
  expect(costOf({ ...NO_USAGE, ...usage }, PRICES)).toBeCloseTo(expected, 9)
  expect(costOf({ ...NO_USAGE, ...usage }, undefined)).toBeUndefined()
})

const given = { OPENAI_API_KEY: 'sk-test', OPENAI_MODEL: 'large', OPENAI_FALLBACK_MODEL: 'small' }
const plain = (input: number, output: number) => ({ input, output, cached: input, cacheWrite: input })
const standard = { input: 0.1, output: 0.5, cached: 0.01, cacheWrite: 0.125 }

test.each([
  ['the default model at OpenAI', { OPENAI_MODEL: '', OPENAI_FALLBACK_MODEL: '' }, { 'gpt-6-luna': standard }],
  ['the default model elsewhere', { OPENAI_MODEL: '', OPENAI_BASE_URL: 'http://127.0.0.1' }, {}],
  ['other models', {}, {}],
  ['the default model as the fallback', { OPENAI_FALLBACK_MODEL: 'gpt-6-luna' }, { 'gpt-6-luna': standard }],
  ['one configured price', { MODEL_PRICES_PER_MILLION_TOKENS: '2,10,0.5,2.5' }, { large: PRICES }],
  [
    'two configured prices',
    { MODEL_PRICES_PER_MILLION_TOKENS: '2,8; 1,4' },
    { large: plain(2, 8), small: plain(1, 4) },
  ],
])('the prices of %s', (_, env, expected) => {
  expect(readConfig({ ...given, ...env }).model?.prices).toEqual(expected)
})

test('rejects prices that are no numbers, or too few', () => {
  for (const prices of ['2', '2,', '2,8;', '2,8;1', 'a,b', '2,8,1,1,1'])
    expect(() => readConfig({ MODEL_PRICES_PER_MILLION_TOKENS: prices })).toThrow(
      'MODEL_PRICES_PER_MILLION_TOKENS must',
    )
})
