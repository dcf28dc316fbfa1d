import { expect, test } from 'vitest'
import { PromptRefused, WindowTooSmall } from '../../src/model/errors.ts'
import { answer, type ModelRequest } from '../support/fakeModel.ts'
import { sse, startStream } from '../support/fakeStream.ts'
import { asking, partsOf, requestsOf, schema } from '../support/modelServers/asking.ts'
import type { Rule } from '../support/modelServers/rule.ts'
import { type Parameter, refuses, spends, unnamed, type Wording, wordings } from '../support/modelServers/single.ts'

const HOUR_MS = 60 * 60_000
const PARTS = ['json_schema', 'max_completion_tokens', 'store', 'stream', 'stream_options']
const withoutPart = (...parts: string[]) => PARTS.filter((part) => !parts.includes(part))

test('requests a stream with a strict schema and store: false', async () => {
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

test.each(named)('leaves out only %s, for an hour, if the server rejects it by name (%s)', async (name, wording) => {
  const { requests, clock } = await asking([refuses(name, wording)])
  const tried = await requests()
  expect(tried.map((request) => partsOf(request).sort())).toEqual([PARTS, LEFT[name] ?? withoutPart(name)])
  clock.offset = HOUR_MS - 60_000
  expect(await requests()).toHaveLength(1)
  clock.offset = 2 * HOUR_MS
  expect(await requests()).toHaveLength(2)
})

test('remembers all rejected parameters for the next request', async () => {
  const { requests } = await asking([refuses(['store', 'reasoning_effort', 'service_tier'], 'openAi')], {
    effort: 'high',
  })
  expect(await requests({ tier: 'flex' })).toHaveLength(4)
  expect(await requests({ tier: 'flex' })).toHaveLength(1)
})

test.each(Object.keys(wordings) as Wording[])(
  'sends the schema without strict if the server rejects strict (%s)',
  async (wording) => {
    const { requests } = await asking([refuses('strict', wording)])
    const last = (await requests()).at(-1)
    expect(last?.response_format?.json_schema).not.toHaveProperty('strict')
    expect(last?.response_format?.type).toBe('json_schema')
  },
)

test('puts the schema into the prompt if the server rejects response formats by name', async () => {
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

test('treats a 404 that mentions parameters as a rejection of the response format', async () => {
  const { requests } = await asking([router])
  expect((await requests()).map(({ response_format: format }) => format?.type)).toEqual(['json_schema', 'json_object'])
  expect(await requests()).toHaveLength(1)
})

test('sends a request at most four times if the server rejects it without naming a parameter', async () => {
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
])('remembers no rejection if the server rejects a prompt in every form: %s', async (message, attempts) => {
  let isRefused = true
  const refuse = () => (isRefused ? { status: 400, body: { error: { message } } } : undefined)
  const { model, ask, requests } = await asking([{ refuse }])
  expect(await requestsOf(model, () => expect(ask()).rejects.toThrow(PromptRefused))).toHaveLength(attempts)
  isRefused = false
  expect((await requests()).map((request) => partsOf(request).sort())).toEqual([PARTS])
})

test('keeps store: false if something else caused a rejection', async () => {
  const { requests } = await asking([unnamed(({ stream }) => stream === true)])
  const tried = await requests()
  expect(tried.map(({ store }) => store)).toEqual([false, false, false])
  expect((await requests()).map(({ store, stream, response_format: format }) => [store, stream, format?.type])).toEqual(
    [[false, undefined, 'json_schema']],
  )
})

test('after a rejection that names no parameter, remembers which parameters worked', async () => {
  const { requests } = await asking([unnamed(({ response_format: format }) => format !== undefined)])
  expect(await requests()).toHaveLength(2)
  expect((await requests()).map((request) => partsOf(request).sort())).toEqual([withoutPart('json_schema')])
})

test('leaves out no parameter that the server accepted before, except the response format', async () => {
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

test.each(FLAGS)('sends a prompt only once if the server flags it: %j', async (body) => {
  const { model, ask } = await asking([{ refuse: () => ({ status: 400, body: body as Record<string, unknown> }) }])
  expect(await requestsOf(model, () => expect(ask()).rejects.toThrow(PromptRefused))).toHaveLength(1)
})

test('after an answer without text, asks for less reasoning or else allows more output tokens', async () => {
  const { ask, requests } = await asking([spends()], { always: (_, response, good) => answer(response, good) })
  const { shape: blank, ...answered } = await ask()
  expect(answered).toMatchObject({ content: '', cutOff: true, reasoningTokens: 16_000 })
  const [request] = await requests({ blank })
  expect(request).toMatchObject({ reasoning_effort: 'low', max_completion_tokens: 16_000 })
  expect((await requests())[0]).toMatchObject({ reasoning_effort: 'low' })
  // A concurrent call whose answer was also empty changes nothing more.
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
  'sends a prompt only once if it is rejected inside a stream: %s',
  async (_, [error, kind]) => {
    const { model, ask } = await asking([])
    model.always((_, response) => startStream(response).end(sse({ error })))
    const asked = () => expect(ask({ promptTokens: 9000 })).rejects.toThrow(kind)
    expect(await requestsOf(model, asked)).toHaveLength(1)
  },
)

test('if an error says that the output limit was reached, treats it as an answer without text', async () => {
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
