import { expect, test } from 'vitest'
import { anthropic } from '../support/modelServers/anthropic.ts'
import {
  asking,
  inPrompt,
  type Json,
  schemaOf,
  serverWith,
  strictly,
  WORDS,
  WORDS_FOUND,
} from '../support/modelServers/askServer.ts'
import { llamaCpp } from '../support/modelServers/llamaCpp.ts'
import { openAi } from '../support/modelServers/openai.ts'
import { openRouter, unknownModel } from '../support/modelServers/openRouter.ts'
import type { Rule } from '../support/modelServers/rule.ts'
import * as single from '../support/modelServers/single.ts'
import { vllm } from '../support/modelServers/vllm.ts'

const NESTED = { type: ['string', 'null'] }
const unions = (count: number) => ({
  ...schemaOf(...Array.from({ length: count }, (_, i) => `p${i}`)),
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, NESTED])),
})
const bounded = { ...WORDS, properties: { first: { type: 'integer', minimum: 1 }, last: { type: 'string' } } }
const asObject = { response_format: { type: 'json_object' } }
const busy = { service_tier: 'flex' }

/** By name: rules, a request that they refuse, status and text of the refusal, and a request that they accept. */
const refusals: Record<string, [rules: Rule[], refused: Json, status: number, error: RegExp, passing: Json]> = {
  'OpenAI: max_tokens': [
    openAi(),
    { max_tokens: 9 },
    400,
    /'max_tokens' is not supported/,
    { max_completion_tokens: 9000 },
  ],
  'OpenAI: too many output tokens': [
    openAi(),
    { max_completion_tokens: 128_001 },
    400,
    /supports at most 128000 completion tokens/,
    { max_completion_tokens: 128_000 },
  ],
  'OpenAI: temperature': [openAi(), { temperature: 0.2 }, 400, /"param":"temperature"/, { temperature: 1 }],
  'OpenAI: effort': [
    openAi(),
    { reasoning_effort: 'huge' },
    400,
    /Supported values are: 'none'/,
    { reasoning_effort: 'low' },
  ],
  'OpenAI: tier': [openAi(), { service_tier: 'cheap' }, 400, /"param":"service_tier"/, { service_tier: 'flex' }],
  'OpenAI: unknown parameters': [openAi(), { num_ctx: 9 }, 400, /unknown_parameter/, { store: false }],
  'OpenAI: an open schema': [
    openAi(),
    strictly({ ...WORDS, additionalProperties: true }),
    400,
    /Invalid schema for response_format 'answer': In context=\(\).*invalid_json_schema/,
    strictly(WORDS),
  ],
  'OpenAI: JSON without the word': [
    openAi(),
    asObject,
    400,
    /must contain the word 'json'/,
    { ...asObject, messages: [{ role: 'user', content: 'Answer in JSON.' }] },
  ],
  'OpenAI: stream_options without a stream': [openAi(), { stream_options: {} }, 400, /only allowed when 'stream'/, {}],
  'Anthropic: unions': [
    anthropic(),
    strictly(unions(17)),
    400,
    /too many parameters with union types \(17/,
    strictly(unions(16)),
  ],
  'Anthropic: keywords': [anthropic(), strictly(bounded), 400, /property 'minimum' is not supported/, { num_ctx: 9 }],
  'Anthropic: optional parameters': [
    anthropic(),
    strictly({ ...unions(0), ...many(25), required: [] }),
    400,
    /too many optional parameters \(25\)/,
    strictly({ ...many(24), required: [] }),
  ],
  'Anthropic: the size of the grammar': [
    anthropic({ maxGrammarCharacters: 1000 }),
    strictly(many(60)),
    400,
    /compiled grammar is too large/,
    strictly(many(2)),
  ],
  'vLLM: unknown parameters': [
    vllm({ forbidsUnknown: true }),
    { store: false },
    400,
    /extra_forbidden.*\('body', 'store'\)/,
    { seed: 1 },
  ],
  'vLLM: a long prompt': [
    vllm({ window: 2000 }),
    { messages: asking(300) },
    400,
    /maximum context length is 2000 tokens. However, your request has/,
    {},
  ],
  'vLLM: room for the answer': [
    vllm({ window: 2000 }),
    { max_completion_tokens: 1990 },
    400,
    /is too large: 1990.*\(1990 > 2000 - \d+\)/,
    { max_completion_tokens: 1000 },
  ],
  'OpenRouter: strict formats': [openRouter(), {}, 404, /No endpoints found/, asObject],
  'llama.cpp: a long prompt': [
    llamaCpp({ window: 2000 }),
    { messages: asking(300) },
    400,
    /exceeds the available context size.*exceed_context_size_error/,
    {},
  ],
  'a value': [
    [single.refusesValue(16_384)],
    { max_completion_tokens: 16_385 },
    400,
    /max_tokens is too large: 16385. This model supports at most 16384/,
    { max_tokens: 16_384 },
  ],
  'a value without the limit': [
    [single.refusesValue(16_384, { namesLimit: false })],
    { max_completion_tokens: 32_000 },
    400,
    /Invalid value for 'max_completion_tokens'/,
    {},
  ],
  'flagged prompts': [[single.flagged('invalid_prompt')], {}, 400, /"code":"invalid_prompt"/, {}],
  'filtered prompts': [[single.flagged('content_filter')], {}, 400, /"code":"content_filter"/, {}],
  'long prompts': [[single.promptTooLong(2000)], { messages: asking(300) }, 400, /context_length_exceeded/, {}],
  'anything, without a reason': [[single.unnamed()], {}, 400, /Bad request/, {}],
  'the cheap tier': [[single.flexBusy()], busy, 429, /resource_unavailable/, { service_tier: 'default' }],
  'an unknown model': [[unknownModel()], {}, 404, /model_not_found/, {}],
}
const ALWAYS = ['flagged prompts', 'filtered prompts', 'anything, without a reason', 'an unknown model']

function many(count: number) {
  return schemaOf(...Array.from({ length: count }, (_, i) => `p${i}`))
}

test.each(Object.entries(refusals))('the rules refuse: %s', async (name, [rules, refused, status, error, passing]) => {
  const server = await serverWith(rules)
  const refusal = await server.ask(refused)
  expect([refusal.status, refusal.error]).toEqual([status, expect.stringMatching(error)])
  expect(server.exchanges).toMatchObject([{ refused: expect.any(String), isCut: false }])
  expect((await server.ask(passing)).status).toBe(ALWAYS.includes(name) ? status : 200)
})

const parameters: Record<single.Parameter, Json> = {
  store: { store: false },
  service_tier: { service_tier: 'flex' },
  reasoning_effort: { reasoning_effort: 'low' },
  stream_options: { stream: true, stream_options: { include_usage: true } },
  stream: { stream: true },
  response_format: strictly(WORDS),
  strict: strictly(WORDS),
  prompt_cache_key: { prompt_cache_key: 'x' },
  max_completion_tokens: { max_completion_tokens: 1000 },
}
const wordings = Object.keys(single.wordings) as single.Wording[]

test.each(Object.keys(parameters) as single.Parameter[])(
  'the rule that refuses %s names it in every error wording',
  async (name) => {
    for (const wording of wordings) {
      const server = await serverWith([single.refuses(name, wording)])
      const { status, body } = await server.ask(parameters[name])
      expect([400, 422]).toContain(status)
      expect(JSON.stringify(body)).toContain(name)
      const format = { type: 'json_schema', json_schema: { name: 'answer', schema: WORDS } }
      const isFormat = name === 'response_format'
      const messages = isFormat ? inPrompt(WORDS) : asking()
      const passing = { messages, response_format: isFormat ? undefined : format }
      expect((await server.ask(passing)).text).toBe(JSON.stringify(WORDS_FOUND))
    }
  },
)

test('the rule that refuses two parameters names one at a time', async () => {
  const { ask } = await serverWith([single.refuses(['store', 'service_tier'])])
  expect((await ask({ service_tier: 'flex', store: false })).error).toContain('supplied: store')
  expect((await ask({ service_tier: 'flex' })).error).toContain('supplied: service_tier')
})
