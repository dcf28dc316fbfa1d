import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { ModelUnavailable, PromptRefused } from '../../src/model/errors.ts'
import { BadAnswer } from '../../src/writer/errors.ts'
import { clientOf } from '../support/askModel.ts'
import { answer, type Behaviour, behaves, promptOf, startFakeModel } from '../support/fakeModel.ts'
import { changing, failed, lastMessage, type Reply, written } from '../support/writing.ts'

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script> [click](javascript:alert(3))'
const ghost = changing((good) => ({
  mainChanges: good.mainChanges.map((change) => ({ ...change, fileName: 'src/ghost.ts' })),
}))
const hostile = changing((good) => ({
  ...(good.aiGeneratedTitle && { aiGeneratedTitle: HOSTILE.slice(0, 60) }),
  ...(good.lead && { lead: { ...good.lead, text: HOSTILE } }),
  mainChanges: good.mainChanges.map((change) => ({ ...change, description: HOSTILE })),
  notablePoints: good.notablePoints.map((point) => ({ ...point, point: HOSTILE })),
}))
const ENGLISH = 'This change reworks how the request is handled so that nobody is surprised by it any more.'
const inEnglish = changing((good) => ({
  ...(good.lead && { lead: { ...good.lead, text: ENGLISH } }),
  mainChanges: good.mainChanges.map((change) => ({ ...change, description: ENGLISH })),
}))
const isCutOff: Reply = (good) => ({ content: JSON.stringify(good).slice(0, 80), finish: 'length' })
const refuses: Reply = () => ({ content: null, refusal: 'I cannot help with that.' })

const FORMAT = 'The model did not answer in the requested format.'
const UNPROVEN = 'The generated article failed verification against the diff.'

/** By fault: the answer of the model to every call, the reason that the client gets, and the number of calls. */
const persistentFaults: Record<string, [Reply, reason: string, calls: number]> = {
  'returns other JSON': [() => '{"aiGeneratedTitle": 12, "mainChanges": "nope"}', FORMAT, 3],
  'returns no JSON': [() => 'Here is your article!', FORMAT, 3],
  'is cut off': [isCutOff, "The model's answer was cut off.", 2],
  refuses: [refuses, 'The model refused.', 2],
  'returns nothing': [() => '', 'The model answered nothing.', 2],
  'names unknown files': [ghost, UNPROVEN, 2],
  'writes HTML': [hostile, UNPROVEN, 2],
  'writes in another language': [inEnglish, 'The model did not write in Japanese (日本語).', 2],
}

test.each(Object.entries(persistentFaults))(
  'reports the reason instead of writing an article if the model %s',
  async (_, [always, reason, calls]) => {
    const { error, requests } = await failed(written({ always }))
    expect(error).toBeInstanceOf(BadAnswer)
    expect((error as Error).message).toBe(reason)
    expect(requests.length).toBe(calls)
  },
)

/** By fault: the behavior of the server for every call, the error, and the number of calls. */
const serverFaults: Record<string, [Behaviour, error: unknown, calls: number]> = {
  'rejects the prompt': [behaves.status(400), PromptRefused, 4],
  'ends its stream too early': [behaves.breaksOff, ModelUnavailable, 2],
  'breaks the connection': [behaves.reset, ModelUnavailable, 2],
  'returns 500': [behaves.status(500), ModelUnavailable, 3],
  'returns 429': [behaves.status(429, { 'retry-after': '1' }), ModelUnavailable, 3],
  'returns 429 with a long Retry-After': [behaves.status(429, { 'retry-after': '600' }), ModelUnavailable, 1],
  'rejects the key': [behaves.status(401), ModelUnavailable, 1],
}

/** A fake model server over HTTP, its client, and the clock of the client. */
async function serverWith(behaviour: Behaviour | undefined) {
  const model = await startFakeModel()
  model.always(behaviour)
  const clock = { offset: 0 }
  const client = clientOf(model, { secondsPerCall: SECONDS_PER_CALL, now: () => new Date(Date.now() + clock.offset) })
  closing.push(() => client.close(), model.close)
  return { model, clock, ask: client.ask }
}
const SECONDS_PER_CALL = 600
const closing: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

test.concurrent.each(Object.entries(serverFaults))(
  'writes no article if the server %s',
  async (_, [behaviour, expected, calls]) => {
    const { model, ask } = await serverWith(behaviour)
    const { error } = await failed(written({ ask }))
    expect(error).toBeInstanceOf(expected)
    expect((error as Error).message).not.toContain('sk-fake')
    expect(model.requests.length).toBe(calls)
  },
)

test.each([
  ['hangs', behaves.hang],
  ['hangs in the middle of its response', behaves.hangsMidway],
])('writes no article if the server %s', async (_, behaviour) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { model, ask } = await serverWith(async (...args) => {
    behaviour(...args)
    await nextTurn()
    await vi.advanceTimersByTimeAsync(SECONDS_PER_CALL * 1000)
  })
  const { error } = await failed(written({ ask }))
  expect(error).toBeInstanceOf(ModelUnavailable)
  expect((error as Error).message).not.toContain('sk-fake')
  expect(model.requests.length).toBe(2)
})

test('the error says what is wrong with an answer', async () => {
  const { error } = await failed(written({ always: ghost }))
  expect((error as BadAnswer).errors.join()).toContain('`src/ghost.ts` is not a changed file')
})

/** Errors that the model corrects once the repair request names them. */
const transientFaults: Record<string, [Reply, correction: RegExp]> = {
  'was cut off': [isCutOff, /cut off for its length/],
  refused: [refuses, /refusal/],
  'named an unknown file': [ghost, /`src\/ghost\.ts` is not a changed file/],
  'wrote HTML': [hostile, /aiGeneratedTitle: it holds HTML/],
  'wrote another language': [inEnglish, /not in Japanese \(日本語\)/],
  'wrote a title that is too long': [
    changing(() => ({ aiGeneratedTitle: '長'.repeat(61) })),
    /aiGeneratedTitle: it has 61 characters; write at most 60/,
  ],
}

test.each(Object.entries(transientFaults))(
  'a model that %s gets a repair request and corrects its answer',
  async (_, [reply, correction]) => {
    const { requests } = await written({ replies: [reply] })
    expect(requests.length).toBe(2)
    expect(lastMessage(requests[1])).toMatch(correction)
    expect(requests[1]?.messages.at(-2)?.role).toBe('assistant')
  },
)

test('puts the schema into the prompt for an hour after the model ignored the response format', async () => {
  const { model, clock, ask } = await serverWith(undefined)
  model.next(behaves.says('Here it is'))
  const modelRequests = await model.during(() => written({ ask }))
  expect(modelRequests.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
    ['system', 'user'],
    ['system', 'user'],
  ])
  const [withFormat, withSchema] = modelRequests.map((request) => [
    request.response_format?.type,
    /JSON schema/.test(promptOf(request)),
  ])
  expect([withFormat, withSchema]).toEqual([
    ['json_schema', false],
    ['json_object', true],
  ])
  const formats = async () =>
    (await model.during(() => written({ ask }))).map(({ response_format: format }) => format?.type)
  expect(await formats()).toEqual(['json_object'])
  clock.offset += 61 * 60_000
  expect(await formats()).toEqual(['json_schema'])
})

test('if the server rejects a JSON schema, repeats the request without a response format', async () => {
  const formats: string[] = []
  const { ask } = await serverWith((request, response, good) => {
    const format = request.response_format
    formats.push(String(format?.type))
    return format?.type === 'json_schema' ? behaves.status(400)(request, response, good) : answer(response, good)
  })
  const { content } = await written({ ask })
  expect(content.mainChanges.length).toBe(1)
  expect(formats).toEqual(['json_schema', 'undefined'])
})

test('the repair turn asks the model to correct a basis that the contract does not allow', async () => {
  const guess = changing((good) => ({ lead: { ...good.lead, basis: 'guess' } }))
  const { content, requests } = await written({ replies: [guess] })
  expect(content.lead?.basis).toBe('diff')
  expect(requests.length).toBe(2)
  expect(lastMessage(requests[1])).toContain('/lead/basis must be equal to one of the allowed values')
})

const choice = (message: object) => ({ choices: [{ index: 0, finish_reason: 'stop', message }] })
const sends = (body: object, response: Parameters<Behaviour>[1]) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const oddities: Record<string, (content: string) => object> = {
  'in parts': (content) => choice({ role: 'assistant', content: [{ type: 'text', text: content }] }),
  'without token counts': (content) => choice({ role: 'assistant', content }),
  'with invalid token counts': (content) => ({
    ...choice({ role: 'assistant', content }),
    usage: { prompt_tokens: '12', completion_tokens: 1.5 },
  }),
}

test.each(Object.entries(oddities))('accepts a response %s', async (_, oddity) => {
  const { ask } = await serverWith((_request, response, good) => sends(oddity(JSON.stringify(good)), response))
  const { content } = await written({ ask })
  expect(content.generator).toMatchObject({ calls: 1 })
  expect(content.generator.inputTokens).toBeGreaterThan(500)
})

test.each([{}, { choices: [] }, { choices: [{ message: null }] }])(
  'treats a response like %j as empty',
  async (body) => {
    const { ask } = await serverWith((_, response) => sends(body, response))
    const { error } = await failed(written({ ask }))
    expect((error as Error).message).toBe('The model answered nothing.')
  },
)

test('accepts JSON inside a code fence without a retry', async () => {
  const { requests } = await written({ replies: [(good) => `\`\`\`json\n${JSON.stringify(good)}\n\`\`\``] })
  expect(requests.length).toBe(1)
})
