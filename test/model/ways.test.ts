import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PromptRefused } from '../../src/model/errors.ts'
import { clientOf } from '../support/askModel.ts'
import { answer, type ModelRequest, startFakeModel } from '../support/fakeModel.ts'
import { sse, startStream } from '../support/fakeStream.ts'

const model = await startFakeModel()
afterAll(() => model.close())
let client = clientOf(model)
beforeEach(() => {
  client = clientOf(model)
})
afterEach(() => client.close())

/** The request mode: its format, then whether it streams. */
function modeOf({ response_format: format, stream, stream_options: options }: ModelRequest): string {
  return `${format?.type ?? 'text'}, ${options ? 'stream with usage' : stream ? 'stream' : 'plain'}`
}

const schema = { type: 'object', properties: { title: { type: 'string', maxLength: 80 } } }

/** The modes tried with a server that rejects a request with `status` if `refuse` returns a body for its mode. */
async function modesTried(refuse: (mode: string) => object | undefined, status = 400): Promise<string[]> {
  model.always((request, response) => {
    const body = refuse(modeOf(request))
    if (!body) return answer(response, 'Hello')
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return (await model.during(() => client.ask({ schema }))).map(modeOf)
}

const refuseIf = (part: RegExp, body: object) => (mode: string) => (part.test(mode) ? body : undefined)
const [SCHEMA, OBJECT, TEXT] = ['json_schema', 'json_object', 'text'] as const
const UNSPECIFIED = { error: { message: 'Bad request.' } }

const named: Record<string, [object, status: number]> = {
  'by param': [{ error: { message: 'Unsupported parameter.', param: 'stream_options' } }, 400],
  'by a nested param': [{ error: { message: 'No.', param: 'stream_options.include_usage' } }, 400],
  'in a message': [{ error: { message: 'Unrecognized request argument supplied: stream_options' } }, 400],
  'in a string': [{ error: 'unknown field "stream_options"' }, 400],
  'outside an error object': [{ object: 'error', message: 'stream_options is not supported', code: 400 }, 400],
  'as a location': [{ detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] }, 422],
}

test.each(Object.entries(named))(
  'streams without stream_options if the server rejects it, named %s',
  async (_, [body, status]) => {
    const modes = await modesTried(refuseIf(/usage/, body), status)
    expect(modes).toEqual([`${SCHEMA}, stream with usage`, `${SCHEMA}, stream`])
  },
)

test.each([{ error: { message: 'No.', param: 'stream' } }, { error: { message: 'Streaming is not supported.' } }])(
  'does not stream if the server rejects streaming with %j',
  async (body) => {
    const modes = await modesTried(refuseIf(/stream/, body))
    expect(modes).toEqual([`${SCHEMA}, stream with usage`, `${SCHEMA}, plain`])
  },
)

test('tries another format, still streamed, if the server names the format', async () => {
  const modes = await modesTried(refuseIf(/schema/, { error: { message: 'No.', param: 'response_format' } }))
  expect(modes).toEqual([SCHEMA, OBJECT].map((format) => `${format}, stream with usage`))
})

test('tries without streaming before it loosens the format if the server names nothing', async () => {
  expect(await modesTried(refuseIf(/stream/, UNSPECIFIED))).toEqual([
    `${SCHEMA}, stream with usage`,
    `${SCHEMA}, stream`,
    `${SCHEMA}, plain`,
  ])
})

const allTransports = (format: string) =>
  ['stream with usage', 'stream', 'plain'].map((transport) => `${format}, ${transport}`)

test('loosens a format rejected without a reason and keeps streaming', async () => {
  const modes = await modesTried(refuseIf(/schema/, UNSPECIFIED))
  expect(modes).toEqual([...allTransports(SCHEMA), `${OBJECT}, stream with usage`])
})

test('does not send an option rejected by name again with the next format', async () => {
  const modes = await modesTried((mode) =>
    /usage/.test(mode) ? { error: { param: 'stream_options' } } : /schema/.test(mode) ? UNSPECIFIED : undefined,
  )
  expect(modes.filter((mode) => /usage/.test(mode))).toHaveLength(1)
  expect(modes.at(-1)).toBe(`${OBJECT}, stream`)
})

test('gives up after nine attempts', async () => {
  const modelRequests = await model.during(() => expect(modesTried(() => UNSPECIFIED)).rejects.toThrow(PromptRefused))
  expect(modelRequests.map(modeOf)).toEqual([SCHEMA, OBJECT, TEXT].flatMap((format) => allTransports(format ?? '')))
})

test('keeps the mode that worked for an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const refuse = refuseIf(/stream/, UNSPECIFIED)
  expect(await modesTried(refuse)).toHaveLength(3)
  vi.advanceTimersByTime(59 * 60_000)
  expect(await modesTried(refuse)).toEqual([`${SCHEMA}, plain`])
  vi.advanceTimersByTime(2 * 60_000)
  expect(await modesTried(refuse)).toHaveLength(3)
  vi.useRealTimers()
})

test('a rejected prompt does not disable streaming that worked before', async () => {
  await modesTried(() => undefined)
  const modelRequests = await model.during(() => expect(modesTried(() => UNSPECIFIED)).rejects.toThrow(PromptRefused))
  expect(modelRequests.map(modeOf)).toEqual([SCHEMA, OBJECT, TEXT].map((format) => `${format}, stream with usage`))
})

test('handles an error inside a model stream like an HTTP error status', async () => {
  const refusal = { error: { code: 400, message: 'stream_options is not supported' } }
  model.always(undefined)
  model.next((_, response) => startStream(response).end(sse(refusal)))
  const modelRequests = await model.during(() => client.ask({ schema }))
  expect(modelRequests.map(modeOf)).toEqual([`${SCHEMA}, stream with usage`, `${SCHEMA}, stream`])
})
