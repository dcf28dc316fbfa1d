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
    withoutPart('store', 'stream_options'),
    ['max_completion_tokens', 'stream'],
    ['max_tokens'],
  ])
})

test('learns nothing from a prompt that is rejected in every form', async () => {
  let isRefused = true
  const { model, ask, requests } = await asking([unnamed(() => isRefused)])
  await requestsOf(model, () => expect(ask()).rejects.toThrow(PromptRefused))
  isRefused = false
  expect((await requests()).map((request) => partsOf(request).sort())).toEqual([PARTS])
})

test('remembers what worked after a rejection that names nothing', async () => {
  const { requests } = await asking([unnamed(({ response_format: format }) => format !== undefined)])
  expect(await requests()).toHaveLength(3)
  expect((await requests()).map(partsOf)).toEqual([['stream', 'max_completion_tokens']])
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
  expect(await ask()).toMatchObject({ content: '', cutOff: true, reasoningTokens: 16_000 })
  const [request] = await requests({ lessReasoning: true })
  expect(request).toMatchObject({ reasoning_effort: 'low', max_completion_tokens: 16_000 })
  expect((await requests())[0]).toMatchObject({ reasoning_effort: 'low' })

  const other = await asking([spends(), refuses('reasoning_effort')])
  const tried = await other.requests({ lessReasoning: true })
  expect(tried.map((one) => [one.reasoning_effort, one.max_completion_tokens])).toEqual([
    ['low', 16_000],
    [undefined, 32_000],
  ])
})

test('handles an error inside a model stream like an HTTP error status', async () => {
  const refusal = { error: { code: 400, message: 'stream_options is not supported' } }
  const { model, requests } = await asking([])
  model.always(undefined)
  model.next((_, response) => startStream(response).end(sse(refusal)))
  expect((await requests()).map(partsOf).map((parts) => parts.includes('stream_options'))).toEqual([true, false])
})
