import { expect, test } from 'vitest'
import { WindowTooSmall } from '../../src/model/errors.ts'
import { asking, requestsOf } from '../support/modelServers/asking.ts'
import type { Rule } from '../support/modelServers/rule.ts'
import { refusesValue, tokenizer } from '../support/modelServers/single.ts'
import { vllm } from '../support/modelServers/vllm.ts'

const HOUR_MS = 60 * 60_000

const TOO_LONG: Record<string, [message: string, code: string | null, window: number | undefined]> = {
  OpenAI: [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    'context_length_exceeded',
    8192,
  ],
  'llama.cpp': [
    'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it',
    null,
    4096,
  ],
  'Anthropic, with the room for the answer': [
    'input length and `max_tokens` exceed context limit: 198000 + 32000 > 200000, decrease input length or `max_tokens`',
    null,
    200_000,
  ],
  xAI: ["This model's maximum prompt length is 8192 but the request contains 9000 tokens.", null, 8192],
  Moonshot: ['Invalid request: Your request exceeded model token limit: 8192 (requested: 12000)', null, 8192],
  Bedrock: ['Input is too long for requested model.', null, undefined],
  DashScope: ['Range of input length should be [1, 8192]', null, 8192],
  'a server that names no window': ['Too long.', 'context_length_exceeded', undefined],
}

test.each(Object.entries(TOO_LONG))(
  'sends a prompt only once if it is too long for %s',
  async (_, [message, code, window]) => {
    const { model, ask } = await asking([{ refuse: () => ({ status: 400, body: { error: { message, code } } }) }])
    const error = await ask({ promptTokens: 9000 }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(WindowTooSmall)
    expect(error.windowTokens).toBe(window)
    expect(error.message).toContain('MODEL_TOKENS_PER_CALL')
    expect(model.requests).toHaveLength(1)
  },
)

const WINDOW = 65_536
/**
 * Refuses a request if its prompt, which counts as 40,000 tokens, and its output limit exceed the window. The error
 * names a lower bound of the length of the prompt, as vLLM does, or no length.
 */
const boundOnly = (isNamed: boolean): Rule => ({
  refuse({ max_completion_tokens: room = 0 }) {
    if (40_000 + room <= WINDOW) return undefined
    const prompt = isNamed ? `your prompt contains at least ${WINDOW - room + 1} input tokens` : 'your prompt is long'
    const message = `This model's maximum context length is ${WINDOW} tokens. However, you requested ${room} output tokens and ${prompt}.`
    return { status: 400, body: { error: { message } } }
  },
})

test.each([
  ['names a bound, and our count is right', true, 40_000, [32_000, 25_536]],
  ['names a bound, and our count is too low', true, 30_000, [32_000, 16_000]],
  ['names nothing, and our count is too low', false, 38_000, [32_000, 27_536, 13_768]],
])('lowers the output limit until the answer fits, if the server %s', async (_, isNamed, promptTokens, tried) => {
  // With this tokenizer, the prompt of these tests has about 40,000 tokens.
  const { requests } = await asking([boundOnly(isNamed), tokenizer(10_021)])
  const sent = await requests({ promptTokens, maxOutputTokens: 32_000 })
  expect(sent.map((request) => request.max_completion_tokens)).toEqual(tried)
})

test('sends a prompt only once if it leaves no room for the answer', async () => {
  const { model, ask } = await asking([boundOnly(true)])
  const asked = () => expect(ask({ promptTokens: 63_000, maxOutputTokens: 32_000 })).rejects.toThrow(WindowTooSmall)
  expect(await requestsOf(model, asked)).toHaveLength(1)
})

test('lowers the output limit to what the window leaves, for this prompt only', async () => {
  const { requests } = await asking(vllm({ window: 20_000 }))
  const limits = async (maxOutputTokens: number) =>
    (await requests({ maxOutputTokens })).map((request) => request.max_completion_tokens)
  const [first, second] = await limits(32_000)
  expect(first).toBe(32_000)
  expect(second).toBeLessThan(20_000)
  expect(second).toBeGreaterThan(19_000)
  expect((await limits(32_000))[0]).toBe(32_000)
})

const LIMITS: [message: string, limit: number][] = [
  ['max_tokens is too large: 32000. This model supports at most 16384 completion tokens.', 16_384],
  ['max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens', 8192],
  ['`max_tokens` must be less than or equal to `16,384`', 16_384],
  ['max_tokens (32000) is too large: the maximum for gpt-4o-mini is 16384.', 16_384],
  ['Maximum max_tokens for claude-3-haiku is 4096', 4096],
  ['max_tokens is above the maximum of model llama-3.1-8b (8192)', 8192],
  ['Range of max_tokens should be [1, 8192]', 8192],
  ['`max_tokens` must be between 1 and 8192', 8192],
]

test.each(LIMITS)(
  'lowers the output limit to the number that the server names, for an hour: %s',
  async (message, limit) => {
    const tooLarge: Rule = {
      refuse: (request) =>
        (request.max_completion_tokens ?? 0) > limit ? { status: 400, body: { error: { message } } } : undefined,
    }
    const { requests, clock } = await asking([tooLarge])
    const tokens = async () =>
      (await requests({ maxOutputTokens: 32_000 })).map((request) => request.max_completion_tokens)
    expect(await tokens()).toEqual([32_000, limit])
    expect(await tokens()).toEqual([limit])
    clock.offset = HOUR_MS + 60_000
    expect(await tokens()).toEqual([32_000, limit])
  },
)

test('halves an output limit that is rejected without a number, down to 4,000', async () => {
  const { requests } = await asking([refusesValue(5000, { namesLimit: false })])
  const tokens = (await requests({ maxOutputTokens: 32_000 })).map((request) => request.max_completion_tokens)
  expect(tokens).toEqual([32_000, 16_000, 8000, 4000])
})
