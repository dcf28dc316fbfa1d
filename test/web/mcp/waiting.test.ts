import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { behaves, holding } from '../../support/fakeModel.ts'
import { ACCEPT, connectClient, expectError, toolCall, VERSIONS } from '../../support/mcp.ts'

const service = await startWritingService()
const { model, logged } = service
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')

beforeEach(() => {
  logged.length = 0
})

const lines = () => logged.map((line) => JSON.parse(line))
const ended = () => lines().filter(({ operationId, status }) => operationId === 'mcp' && status !== 202)
const serious = () => lines().filter(({ level }) => level >= 40)

/** A pull request whose article is being written until `release` is called. */
async function beingWritten(start: (pullRequest: string) => unknown) {
  const pullRequest = aPull(service)
  const { held, release } = holding()
  model.next(held)
  const before = model.requests.length
  const result = start(pullRequest)
  await expect.poll(() => model.requests.length).toBe(before + 1)
  return { pullRequest, release, result }
}

describe.each(VERSIONS)('with protocol version %s', async (version) => {
  const { call } = await connectClient(service, version, token)

  test('ask_for_article reports progress and returns the article', async () => {
    const seen: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress)
    const { pullRequest, release, result } = await beingWritten((pull) =>
      call('ask_for_article', { pullRequest: pull }, { onprogress }),
    )
    await expect.poll(() => seen.length).toBeGreaterThan(1)
    release()
    const { text } = (await result) as Awaited<ReturnType<typeof call>>
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
    const { id } = await generated(pullRequest, token)
    expect(text.split(' · ').slice(0, 2)).toEqual([`Article ${id} about ${pullRequest}`, 'language ja'])
  })

  test('a cancelled call stops waiting at once, and the article is still written', async () => {
    const cancelling = new AbortController()
    const { pullRequest, release, result } = await beingWritten((pull) =>
      call('ask_for_article', { pullRequest: pull }, { signal: cancelling.signal, onprogress: () => {} }).catch(
        (error: unknown) => error,
      ),
    )
    expect(ended()).toEqual([])
    cancelling.abort()
    expect(await result).toBeInstanceOf(Error)
    await expect.poll(() => ended().length).toBe(1)
    release()
    await generated(pullRequest, token)
    expect(serious()).toEqual([])
  })

  test('ask_for_article returns a tool error if the job fails', async () => {
    model.always(behaves.says('{}'))
    expectError(await call('ask_for_article', { pullRequest: aPull(service) }), 'GENERATION_FAILED')
    model.always(undefined)
  })
})

interface Sending {
  bearer?: string | undefined
  signal?: AbortSignal
}

const send = (message: object, { bearer, signal }: Sending = { bearer: token }) =>
  fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      'content-type': 'application/json',
      accept: ACCEPT,
    },
    body: JSON.stringify(message),
    ...(signal && { signal }),
  })

test('ask_for_article stops waiting if the client disconnects, but the article is still written', async () => {
  const leaving = new AbortController()
  const { pullRequest, release, result } = await beingWritten((pull) =>
    send(toolCall('ask_for_article', { pullRequest: pull }), { bearer: token, signal: leaving.signal })
      .then(
        (response) => response.text(),
        (error: unknown) => error,
      )
      .catch((error: unknown) => error),
  )
  leaving.abort()
  expect(await result).toBeInstanceOf(Error)
  await expect.poll(() => ended().length).toBe(1)
  release()
  await generated(pullRequest, token)
  expect(serious()).toEqual([])
})

const cancellation = (requestId: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})

test('ignores a cancellation that names the request id of two calls', async () => {
  const { release, result } = await beingWritten((pull) =>
    Promise.all(
      [1, 2].map(async () => (await send(toolCall('ask_for_article', { pullRequest: pull }, 'same'))).text()),
    ),
  )
  expect((await send(cancellation('same'))).status).toBe(202)
  release()
  for (const text of (await result) as string[]) expect(text).toContain('"text":"Article ')
})

test('a user cannot cancel the call of another', async () => {
  const other = await service.signedUp('other')
  const { release, result } = await beingWritten(async (pull) =>
    (await send(toolCall('ask_for_article', { pullRequest: pull }, 'mine'))).text(),
  )
  expect((await send(cancellation('mine'), { bearer: other })).status).toBe(202)
  expect((await send(cancellation('mine'), { bearer: undefined })).status).toBe(202)
  release()
  expect(await result).toContain('"text":"Article ')
})

test('if the wait ends before the article is written, the answer says how to continue', async () => {
  const { call } = await connectClient(service, '2026-07-28', token)
  const { pullRequest, release, result } = await beingWritten((pull) => call('ask_for_article', { pullRequest: pull }))
  service.ctx.jobs.watch.endAllWaits()
  const { text } = (await result) as Awaited<ReturnType<typeof call>>
  expect(text).toContain('call ask_for_article again with the same arguments')
  release()
  const again = () => call('ask_for_article', { pullRequest })
  await expect.poll(async () => (await again()).text).toMatch(/^Article /)
})
