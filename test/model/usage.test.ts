import { expect, test } from 'vitest'
import { type ReportedUsage, usageOf } from '../../src/model/usage.ts'

const NONE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 }

test.each<[string, ReportedUsage | null | undefined, object]>([
  ['nothing', undefined, {}],
  ['null', null, {}],
  ['plain counts', { prompt_tokens: 5, completion_tokens: 7 }, { inputTokens: 5, outputTokens: 7 }],
  [
    'the details of OpenAI',
    {
      prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
    { cachedTokens: 3, cacheWriteTokens: 2, reasoningTokens: 4 },
  ],
  [
    'null details',
    { prompt_tokens: 1, prompt_tokens_details: null, completion_tokens_details: null },
    { inputTokens: 1 },
  ],
  ['the cache hits of DeepSeek', { prompt_cache_hit_tokens: 3 }, { cachedTokens: 3 }],
  [
    'the cache of Anthropic',
    { cache_read_input_tokens: 3, cache_creation_input_tokens: 2 },
    { cachedTokens: 3, cacheWriteTokens: 2 },
  ],
  ['the first of several', { prompt_tokens_details: { cached_tokens: 0 }, prompt_cache_hit_tokens: 3 }, {}],
  ['counts of other types', { prompt_tokens: '5', completion_tokens: 1.5, prompt_cache_hit_tokens: -1 }, {}],
])('reads the token counts from %s', (_, reported, usage) => {
  expect(usageOf(reported)).toEqual({ ...NONE, ...usage })
})
