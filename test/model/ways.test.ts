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

/** How a request asks: its format, then whether it streams. */
function wayOf({ response_format: format, stream, stream_options: options }: ModelRequest): string {
  const strict = JSON.stringify(format ?? {}).includes('maxLength') ? ' with bounds' : ''
  return `${format?.type ?? 'text'}${strict}, ${options ? 'stream with usage' : stream ? 'stream' : 'plain'}`
}

const schema = { type: 'object', properties: { title: { type: 'string', maxLength: 80 } } }

/** The ways a server was asked in that answers those requests with 400 or 422 for which `refuse` gives a body. */
async function waysTried(refuse: (way: string) => object | undefined, status = 400): Promise<string[]> {
  model.always((request, response) => {
    const body = refuse(wayOf(request))
    if (!body) return answer(response, 'Hello')
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return (await model.during(() => client.ask({ schema }))).map(wayOf)
}

const where = (part: RegExp, body: object) => (way: string) => (part.test(way) ? body : undefined)
const [SCHEMA, PLAIN_SCHEMA, OBJECT, TEXT] = ['json_schema with bounds', 'json_schema', 'json_object', 'text']
const UNSAID = { error: { message: 'Bad request.' } }

const named: Record<string, [object, status: number]> = {
  'by param': [{ error: { message: 'Unsupported parameter.', param: 'stream_options' } }, 400],
  'by param below it': [{ error: { message: 'No.', param: 'stream_options.include_usage' } }, 400],
  'in a message': [{ error: { message: 'Unrecognized request argument supplied: stream_options' } }, 400],
  'in a text': [{ error: 'unknown field "stream_options"' }, 400],
  'outside of an error': [{ object: 'error', message: 'stream_options is not supported', code: 400 }, 400],
  'as a place': [{ detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] }, 422],
}

test.each(Object.entries(named))(
  'a server that refuses stream_options, named %s, streams',
  async (_, [body, status]) => {
    const ways = await waysTried(where(/usage/, body), status)
    expect(ways).toEqual([`${SCHEMA}, stream with usage`, `${SCHEMA}, stream`])
  },
)

test.each([{ error: { message: 'No.', param: 'stream' } }, { error: { message: 'Streaming is not supported.' } }])(
  'a server that refuses streaming with %j is asked without',
  async (body) => {
    const ways = await waysTried(where(/stream/, body))
    expect(ways).toEqual([`${SCHEMA}, stream with usage`, `${SCHEMA}, plain`])
  },
)

test('a server that names the format is asked for another, streamed', async () => {
  const ways = await waysTried(where(/schema/, { error: { message: 'No.', param: 'response_format' } }))
  expect(ways).toEqual([SCHEMA, PLAIN_SCHEMA, OBJECT].map((format) => `${format}, stream with usage`))
})

test('a server that names nothing is asked without streaming before the format is loosened', async () => {
  expect(await waysTried(where(/stream/, UNSAID))).toEqual([
    `${SCHEMA}, stream with usage`,
    `${SCHEMA}, stream`,
    `${SCHEMA}, plain`,
  ])
})

const allTransports = (format: string) => ['stream with usage', 'stream', 'plain'].map((how) => `${format}, ${how}`)

test('a format that is refused without a reason is loosened, and streaming kept', async () => {
  const ways = await waysTried(where(/schema/, UNSAID))
  expect(ways).toEqual([...[SCHEMA, PLAIN_SCHEMA].flatMap(allTransports), `${OBJECT}, stream with usage`])
})

test('what was refused by name is not sent again with the next format', async () => {
  const ways = await waysTried((way) =>
    /usage/.test(way) ? { error: { param: 'stream_options' } } : /schema/.test(way) ? UNSAID : undefined,
  )
  expect(ways.filter((way) => /usage/.test(way))).toHaveLength(1)
  expect(ways.at(-1)).toBe(`${OBJECT}, stream`)
})

test('a server that refuses everything is asked twelve times at most', async () => {
  const asked = await model.during(() => expect(waysTried(() => UNSAID)).rejects.toThrow(PromptRefused))
  expect(asked.map(wayOf)).toEqual(
    [SCHEMA, PLAIN_SCHEMA, OBJECT, TEXT].flatMap((format) => allTransports(format ?? '')),
  )
})

test('keeps to the way that worked for an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const refuse = where(/stream/, UNSAID)
  expect(await waysTried(refuse)).toHaveLength(3)
  vi.advanceTimersByTime(59 * 60_000)
  expect(await waysTried(refuse)).toEqual([`${SCHEMA}, plain`])
  vi.advanceTimersByTime(2 * 60_000)
  expect(await waysTried(refuse)).toHaveLength(3)
  vi.useRealTimers()
})

test('a prompt that is refused does not put in doubt the streaming that worked before', async () => {
  await waysTried(() => undefined)
  const asked = await model.during(() => expect(waysTried(() => UNSAID)).rejects.toThrow(PromptRefused))
  expect(asked.map(wayOf)).toEqual([SCHEMA, PLAIN_SCHEMA, OBJECT, TEXT].map((format) => `${format}, stream with usage`))
})

test('a refusal inside a stream counts as one', async () => {
  const refusal = { error: { code: 400, message: 'stream_options is not supported' } }
  model.always(undefined)
  model.next((_, response) => startStream(response).end(sse(refusal)))
  const asked = await model.during(() => client.ask({ schema }))
  expect(asked.map(wayOf)).toEqual([`${SCHEMA}, stream with usage`, `${SCHEMA}, stream`])
})
