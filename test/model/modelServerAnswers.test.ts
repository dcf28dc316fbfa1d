import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { behaves, startFakeModel } from '../support/fakeModel.ts'
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
import { ollama } from '../support/modelServers/ollama.ts'
import { openAi } from '../support/modelServers/openai.ts'
import { openRouter } from '../support/modelServers/openRouter.ts'
import { countsNewTokens, prefixCache } from '../support/modelServers/prefixCache.ts'
import * as single from '../support/modelServers/single.ts'
import { vllm } from '../support/modelServers/vllm.ts'

const asObject = { response_format: { type: 'json_object' } }

test('the fake server answers with the words at both ends of a prompt', async () => {
  const { ask } = await serverWith(openAi())
  expect(JSON.parse((await ask({ messages: asking(500) })).text ?? '')).toEqual(WORDS_FOUND)
})

test('the fake server answers with the words at both ends of a prompt, also without any rules', async () => {
  const { ask } = await serverWith([])
  expect(JSON.parse((await ask()).text ?? '')).toEqual(WORDS_FOUND)
})

test.each([1, 0.6, 1.6])('the tokenizer rule multiplies the token count of a prompt by %d', async (factor) => {
  const { ask } = await serverWith([single.tokenizer(factor)])
  const { usage } = await ask({ messages: asking(400) })
  expect(Number(usage['prompt_tokens']) / factor).toBeGreaterThan(2400)
  expect(Number(usage['prompt_tokens']) / factor).toBeLessThan(3600)
})

test.each([
  [false, { first: '', last: 'omega' }],
  [true, { first: '', last: 'omega' }],
])('the Ollama rules cut prompts from the front (keep the system message: %s)', async (keepsSystem, words) => {
  const { ask, exchanges, requests } = await serverWith(ollama({ keepsSystem }))
  const { status, text, usage } = await ask({ messages: asking(1000) })
  expect([status, JSON.parse(text ?? '')]).toEqual([200, words])
  expect(usage['prompt_tokens']).toBeGreaterThan(4000)
  expect(usage['prompt_tokens']).toBeLessThanOrEqual(4096)
  expect(exchanges.map(({ isCut }) => isCut)).toEqual([true])
  expect(requests[0]?.messages).toEqual(asking(1000))
  // The schema is in the system message, so the answer is JSON only if that message is kept.
  const inText = await ask({ messages: inPrompt(WORDS, 1000), response_format: undefined })
  expect(inText.text?.startsWith('{')).toBe(keepsSystem)
})

test('the size of a window is counted with the tokenizer of the server', async () => {
  const { ask, exchanges } = await serverWith([...ollama({ window: 2000 }), single.tokenizer(1.5)])
  expect((await ask({ messages: asking(220) })).usage['prompt_tokens']).toBeLessThanOrEqual(2000)
  await ask({ messages: asking(120) })
  expect(exchanges.map(({ isCut }) => isCut)).toEqual([true, false])
})

test('a server that ignores the response format answers in prose unless the prompt contains the schema', async () => {
  const { ask } = await serverWith(llamaCpp({ thinks: false, fences: false }))
  expect((await ask()).text).toMatch(/^この変更/)
  expect((await ask(asObject)).text).toMatch(/^この変更/)
  expect((await ask({ messages: inPrompt(WORDS) })).text).toBe(JSON.stringify(WORDS_FOUND))
})

test('the llama.cpp rules put thoughts before the answer, and a code fence around it', async () => {
  const { ask } = await serverWith(llamaCpp({ ignoresFormat: false }))
  expect((await ask()).text).toBe(
    `<think>\nThe answer must be JSON, perhaps {"lead": "…"}.\n</think>\n\n\`\`\`json\n${JSON.stringify(WORDS_FOUND)}\n\`\`\``,
  )
})

test('the vLLM rules send the answer as reasoning content', async () => {
  const { ask } = await serverWith(vllm())
  expect((await ask()).body['choices']).toMatchObject([
    { message: { content: null, reasoning_content: JSON.stringify(WORDS_FOUND) } },
  ])
})

test('the OpenAI rules count reasoning as output tokens', async () => {
  const { ask } = await serverWith(openAi())
  const whole = await ask({ max_completion_tokens: 8000, reasoning_effort: 'low' })
  expect(whole.usage).toMatchObject({ completion_tokens_details: { reasoning_tokens: 512 } })
  expect(Number(whole.usage['completion_tokens'])).toBeGreaterThan(512)
  expect(whole.text).toBe(JSON.stringify(WORDS_FOUND))
  const empty = await ask({ max_completion_tokens: 2000 })
  expect(empty.body['choices']).toMatchObject([{ finish_reason: 'length', message: { content: '' } }])
  expect(empty.usage).toMatchObject({ completion_tokens: 2000, completion_tokens_details: { reasoning_tokens: 2000 } })
})

test.each([
  [{ max_completion_tokens: 31_999 }, ''],
  [{ max_completion_tokens: 32_000 }, JSON.stringify(WORDS_FOUND)],
  [{ max_completion_tokens: 4000, reasoning_effort: 'minimal' }, JSON.stringify(WORDS_FOUND)],
])('the rule that spends output tokens on reasoning answers %j with this text: %s', async (request, text) => {
  const { ask } = await serverWith([single.spends()])
  expect((await ask(request)).text ?? '').toBe(text)
})

test('the cache rule counts tokens as cached if an earlier request had equal model, format and start', async () => {
  const { ask } = await serverWith([prefixCache()])
  const cachedIn = async (more: Json) => Object((await ask(more)).usage['prompt_tokens_details'])['cached_tokens']
  expect(await cachedIn({ messages: asking(500) })).toBe(0)
  const cached = await cachedIn({ messages: [...asking(500), { role: 'user', content: 'Again.' }] })
  expect(cached).toBeGreaterThan(1024)
  expect(cached % 128).toBe(0)
  expect(await cachedIn({ messages: asking(500), ...strictly(schemaOf('first')) })).toBe(0)
  expect(await cachedIn({ messages: asking(500), model: 'another' })).toBe(0)
  expect(await cachedIn({ messages: asking(20) })).toBe(0)
})

test.each([true, false])('a rule can count only uncached tokens (reports cached ones: %s)', async (tellsCached) => {
  const { ask } = await serverWith([countsNewTokens({ tellsCached })])
  const [first, second] = [await ask({ messages: asking(500) }), await ask({ messages: asking(500) })]
  const details = Object(second.usage['prompt_tokens_details'])
  const total = Number(first.usage['prompt_tokens'])
  expect(Number(second.usage['prompt_tokens'])).toBeLessThan(200)
  if (tellsCached) expect(details.cached_tokens + second.usage['prompt_tokens']).toBe(total)
  else expect(details).toEqual({})
})

test('the fake server combines rules: returns the first refusal, and applies all changes to the answer', async () => {
  const { ask } = await serverWith([
    ...llamaCpp({ ignoresFormat: false, thinks: false }),
    single.refuses('store'),
    single.noUsage(),
    ...openRouter(),
  ])
  const refused = await ask({ store: false, ...asObject })
  expect([refused.status, refused.error]).toEqual([200, expect.stringContaining('"code":400')])
  expect(refused.error).toContain('supplied: store')
  const { text, body } = await ask({ messages: inPrompt(WORDS), ...asObject })
  expect(text).toMatch(/^```json/)
  expect(body).not.toHaveProperty('usage')
})

test('the OpenRouter rules can hide the error of a provider', async () => {
  const { ask } = await serverWith([single.refuses('store'), ...openRouter({ hidesErrors: true })])
  const { error } = await ask({ store: false, ...asObject })
  expect(JSON.parse(error)).toMatchObject({ message: 'Provider returned error', code: 400 })
})

test('the fake server lists models: the usual one, another one, or one with a shutdown date', async () => {
  const listed = async (models?: object) => {
    const { url } = await serverWith([], { ...(models && { models }) })
    return ((await (await fetch(`${url}/models`)).json()) as { data: object[] }).data
  }
  expect(await listed()).toMatchObject([{ id: 'fake-model', object: 'model' }])
  expect(await listed({ names: ['another'] })).toMatchObject([{ id: 'another' }])
  expect(await listed({ shutdownDates: { 'fake-model': '2026-12-11' } })).toMatchObject([
    { shutdown_date: '2026-12-11' },
  ])
})

test('the rules also change a response that a test sets', async () => {
  const { ask, next } = await serverWith(llamaCpp())
  next(behaves.says('{}'))
  expect((await ask()).text).toMatch(/<think>[\s\S]*```json\n\{\}\n```$/)
})

test.each([['openai', openAi()] as const, ['router', [...openRouter(), ...openAi()]] as const])(
  "OpenAI's client reads streamed and plain answers of %s",
  async (_, rules) => {
    const { url } = await serverWith([...rules])
    const client = new OpenAI({ apiKey: 'sk-fake-0123456789', baseURL: url, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: `Answer in JSON.\n${JSON.stringify(WORDS)}\nLast word: omega` }]
    const request = { model: 'fake-model', messages, response_format: { type: 'json_object' as const } }
    const plain = await client.chat.completions.create(request)
    const options = { stream_options: { include_usage: true } }
    const streamed = await client.chat.completions.stream({ ...request, ...options }).finalChatCompletion()
    expect(streamed.choices[0]?.message).toMatchObject({ content: '{"first":"","last":"omega"}', role: 'assistant' })
    expect(streamed.choices[0]?.message.content).toBe(plain.choices[0]?.message.content)
    expect(streamed.usage).toEqual(plain.usage)
    await expect(client.chat.completions.stream({ ...request, temperature: 0 }).finalChatCompletion()).rejects.toThrow(
      "'temperature'",
    )
  },
)

test('the rules of a running server can be replaced', async () => {
  const server = await startFakeModel({ rules: [single.flagged('invalid_prompt')] })
  onTestFinished(() => server.close())
  const ask = () => fetch(`${server.url}/chat/completions`, { method: 'POST', body: JSON.stringify({ messages: [] }) })
  expect((await ask()).status).toBe(400)
  await server.keepTo([single.noUsage()])
  expect(await (await ask()).json()).not.toHaveProperty('usage')
  expect(server.exchanges).toHaveLength(1)
})
