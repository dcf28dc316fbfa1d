import { expect, onTestFinished, test } from 'vitest'
import type { ModelCall } from '../../src/model/call.ts'
import { PromptRefused, WindowTooSmall } from '../../src/model/errors.ts'
import { clientOf } from '../support/askModel.ts'
import { answer, type Behaviour, type FakeModel, type ModelRequest, startFakeModel } from '../support/fakeModel.ts'
import { sse, startStream } from '../support/fakeStream.ts'
import type { Rule, ServerRequest } from '../support/modelServers/rule.ts'
import {
  type Parameter,
  refuses,
  refusesValue,
  spends,
  tokenizer,
  unnamed,
  type Wording,
  wordings,
} from '../support/modelServers/single.ts'
import { vllm } from '../support/modelServers/vllm.ts'

const HOUR_MS = 60 * 60_000
const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }

/** A client of a server with these rules. `parts` are those of the requests that a call takes. */
async function asking(rules: Rule[], { effort, always }: { effort?: string; always?: Behaviour } = {}) {
  const model = await startFakeModel({ rules })
  const clock = { offset: 0 }
  const now = () => new Date(Date.now() + clock.offset)
  const client = clientOf(model, { now, ...(effort && { reasoningEffort: effort }) })
  onTestFinished(async () => {
    await client.close()
    await model.close()
  })
  model.always(always ?? ((_, response) => answer(response, '{"title":"Hello"}')))
  const ask = (more: Partial<ModelCall> = {}) => client.ask({ schema, ...more })
  return { model, clock, ask, requests: (more?: Partial<ModelCall>) => requestsOf(model, () => ask(more)) }
}

async function requestsOf(model: FakeModel, work: () => Promise<unknown>): Promise<ServerRequest[]> {
  return (await model.during(work)) as ServerRequest[]
}

/** What a request holds besides model and messages. */
function partsOf(request: ModelRequest): string[] {
  const { model: _, messages: __, ...parts } = request
  return Object.entries(parts).map(([name, value]) =>
    name === 'response_format' ? (value as { type: string }).type : name,
  )
}

const PARTS = ['json_schema', 'max_completion_tokens', 'store', 'stream', 'stream_options']
const withoutPart = (...parts: string[]) => PARTS.filter((part) => !parts.includes(part))

test('sends a strict schema, streamed, that is not stored', async () => {
  const { requests } = await asking([])
  const [request] = await requests()
  expect(partsOf(request as ModelRequest).sort()).toEqual(PARTS)
  expect(request).toMatchObject({ store: false, max_completion_tokens: 16_000, stream: true })
  expect(request?.response_format?.json_schema).toMatchObject({ strict: true, schema })
})

const NAMES: Parameter[] = ['store', 'stream_options', 'stream', 'max_completion_tokens']
const LEFT: Partial<Record<Parameter, string[]>> = {
  stream: withoutPart('stream', 'stream_options'),
  max_completion_tokens: [...withoutPart('max_completion_tokens'), 'max_tokens'].sort(),
}
const named = NAMES.flatMap((name) =>
  Object.keys(wordings).map((wording) => [name, wording as Wording] satisfies [Parameter, Wording]),
)

test.each(named)('leaves out %s alone if the server rejects it by name (%s), for an hour', async (name, wording) => {
  const { requests, clock } = await asking([refuses(name, wording)])
  const tried = await requests()
  expect(tried.map((request) => partsOf(request).sort())).toEqual([PARTS, LEFT[name] ?? withoutPart(name)])
  clock.offset = HOUR_MS - 60_000
  expect(await requests()).toHaveLength(1)
  clock.offset = 2 * HOUR_MS
  expect(await requests()).toHaveLength(2)
})

test('remembers each rejected part until its own hour is over', async () => {
  const { requests } = await asking([refuses(['store', 'reasoning_effort', 'service_tier'], 'openAi')], {
    effort: 'high',
  })
  expect(await requests({ tier: 'flex' })).toHaveLength(4)
  expect(await requests({ tier: 'flex' })).toHaveLength(1)
})

test.each(Object.keys(wordings) as Wording[])(
  'sends a schema that is not strict if strict is rejected (%s)',
  async (wording) => {
    const { requests } = await asking([refuses('strict', wording)])
    const last = (await requests()).at(-1)
    expect(last?.response_format?.json_schema).not.toHaveProperty('strict')
    expect(last?.response_format?.type).toBe('json_schema')
  },
)

test('shows the schema in the prompt if the server rejects formats by name', async () => {
  const { requests } = await asking([refuses('response_format', 'openAiNamed')])
  const tried = await requests()
  expect(tried.map(({ response_format: format }) => format?.type)).toEqual(['json_schema', 'json_object', undefined])
  expect(tried.at(-1)?.messages[0]?.content).toContain(JSON.stringify(schema))
})

const router: Rule = {
  refuse: ({ response_format: format }) =>
    format?.type === 'json_schema'
      ? { status: 404, body: { error: { message: 'No endpoints found that can handle the requested parameters.' } } }
      : undefined,
}

test('takes a 404 that names parameters for a rejected format', async () => {
  const { requests } = await asking([router])
  expect((await requests()).map(({ response_format: format }) => format?.type)).toEqual(['json_schema', 'json_object'])
  expect(await requests()).toHaveLength(1)
})

test('tries a rejection that names nothing four times at most', async () => {
  const { model, ask } = await asking([unnamed()])
  const tried = await requestsOf(model, () => expect(ask()).rejects.toThrow(PromptRefused))
  expect(tried.map((request) => partsOf(request).sort())).toEqual([
    PARTS,
    withoutPart('json_schema'),
    ['max_tokens', 'store'],
    ['max_tokens'],
  ])
})

test.each([
  ['You cannot store data for this prompt.', 4],
  ["Unknown parameter: 'stream_options'.", 5],
])('learns nothing from a prompt that is rejected in every form: %s', async (message, attempts) => {
  let isRefused = true
  const refuse = () => (isRefused ? { status: 400, body: { error: { message } } } : undefined)
  const { model, ask, requests } = await asking([{ refuse }])
  expect(await requestsOf(model, () => expect(ask()).rejects.toThrow(PromptRefused))).toHaveLength(attempts)
  isRefused = false
  expect((await requests()).map((request) => partsOf(request).sort())).toEqual([PARTS])
})

test('keeps store: false after a rejection that something else caused', async () => {
  const { requests } = await asking([unnamed(({ stream }) => stream === true)])
  const tried = await requests()
  expect(tried.map(({ store }) => store)).toEqual([false, false, false])
  expect((await requests()).map(({ store, stream, response_format: format }) => [store, stream, format?.type])).toEqual(
    [[false, undefined, 'json_schema']],
  )
})

test('remembers what worked after a rejection that names nothing', async () => {
  const { requests } = await asking([unnamed(({ response_format: format }) => format !== undefined)])
  expect(await requests()).toHaveLength(2)
  expect((await requests()).map((request) => partsOf(request).sort())).toEqual([withoutPart('json_schema')])
})

test('does not give up what the server accepted before', async () => {
  let isRefused = false
  const { model, ask, requests } = await asking([unnamed(() => isRefused)])
  await requests()
  isRefused = true
  const tried = await requestsOf(model, () => expect(ask()).rejects.toThrow(PromptRefused))
  expect(tried.map(({ response_format: format, stream }) => [format?.type, stream])).toEqual([
    ['json_schema', true],
    [undefined, true],
  ])
})

const FLAGS: object[] = [
  { error: { message: 'Output blocked by content filtering policy' } },
  { error: { message: 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.' } },
  { error: { message: 'Flagged.', code: 'invalid_prompt' } },
  { error: { message: 'Filtered.', code: 'content_filter' } },
  { error: { message: 'Flagged.', type: 'content_policy_violation' } },
]

test.each(FLAGS)('sends a prompt that is flagged only once: %j', async (body) => {
  const { model, ask } = await asking([{ refuse: () => ({ status: 400, body: body as Record<string, unknown> }) }])
  expect(await requestsOf(model, () => expect(ask()).rejects.toThrow(PromptRefused))).toHaveLength(1)
})

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
  'sends a prompt that is too long for %s only once',
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
/** Says of a prompt of 40,000 tokens only how long it is at least, like vLLM, or nothing. */
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
])('finds room for the answer in a few steps if the server %s', async (_, isNamed, promptTokens, tried) => {
  // The prompt of these tests has about 40,000 tokens by this count.
  const { requests } = await asking([boundOnly(isNamed), tokenizer(10_021)])
  const sent = await requests({ promptTokens, maxOutputTokens: 32_000 })
  expect(sent.map((request) => request.max_completion_tokens)).toEqual(tried)
})

test('sends a prompt that leaves no room for the answer only once', async () => {
  const { model, ask } = await asking([boundOnly(true)])
  const asked = () => expect(ask({ promptTokens: 63_000, maxOutputTokens: 32_000 })).rejects.toThrow(WindowTooSmall)
  expect(await requestsOf(model, asked)).toHaveLength(1)
})

test('gives the answer what the window leaves, for this prompt alone', async () => {
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

test('asks for less reasoning, or else gives more room, after an answer without text', async () => {
  const { ask, requests } = await asking([spends()], { always: (_, response, good) => answer(response, good) })
  const { shape: blank, ...answered } = await ask()
  expect(answered).toMatchObject({ content: '', cutOff: true, reasoningTokens: 16_000 })
  const [request] = await requests({ blank })
  expect(request).toMatchObject({ reasoning_effort: 'low', max_completion_tokens: 16_000 })
  expect((await requests())[0]).toMatchObject({ reasoning_effort: 'low' })
  // Another call that was blank at the same time does not ask for more.
  expect((await requests({ blank }))[0]).toMatchObject({ reasoning_effort: 'low', max_completion_tokens: 16_000 })

  const other = await asking([spends(), refuses('reasoning_effort')])
  const tried = await other.requests({ blank: (await other.ask()).shape })
  expect(tried.map((one) => [one.reasoning_effort, one.max_completion_tokens])).toEqual([
    ['low', 16_000],
    [undefined, 32_000],
  ])
})

const WITHIN_ANSWERS: Record<string, [object | string, typeof PromptRefused | typeof WindowTooSmall]> = {
  'a router, with the error of the maker': [
    { code: 400, message: 'Provider returned error', metadata: { raw: '{"error":{"code":"content_filter"}}' } },
    PromptRefused,
  ],
  'a server that names no status': [
    'The model was loaded with context length of only 4096 tokens, which is not enough.',
    WindowTooSmall,
  ],
}
test.each(Object.entries(WITHIN_ANSWERS))(
  'sends a prompt only once that is rejected inside a stream: %s',
  async (_, [error, kind]) => {
    const { model, ask } = await asking([])
    model.always((_, response) => startStream(response).end(sse({ error })))
    const asked = () => expect(ask({ promptTokens: 9000 })).rejects.toThrow(kind)
    expect(await requestsOf(model, asked)).toHaveLength(1)
  },
)

test('takes an error about the output that reasoning used up for an answer without text', async () => {
  const message = 'Could not finish the message because max_tokens or model output limit was reached.'
  const { ask } = await asking([{ refuse: () => ({ status: 400, body: { error: { message } } }) }])
  expect(await ask()).toMatchObject({ content: '', cutOff: true })
})

test('handles an error inside a model stream like an HTTP error status', async () => {
  const refusal = { error: { code: 400, message: 'stream_options is not supported' } }
  const { model, requests } = await asking([])
  model.always(undefined)
  model.next((_, response) => startStream(response).end(sse(refusal)))
  expect((await requests()).map(partsOf).map((parts) => parts.includes('stream_options'))).toEqual([true, false])
})
