import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { behaves, holding } from '../support/fakeModel.ts'
import { DONE, piece, startStream } from '../support/fakeStream.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { generate } = articlesOf(service)
const token = await service.signedUp('reader')

/** Starts a job that runs until `release` is called. */
async function started() {
  const { held, release } = holding()
  service.model.next(held)
  const { body } = await generate(aPull(service), token, undefined, { prefer: 'respond-async' })
  const read = async () => (await service.call('getArticleJob', { token, params: { jobId: body.data.id } })).body.data
  return { job: body.data, read, release }
}

/** The events of a job, each with its name. */
async function eventsOf(
  jobId: string,
  more: Record<string, string> = {},
  onText = (_: string) => {},
): Promise<[string, Record<string, unknown>][]> {
  const response = await fetch(`${service.url}/article-jobs/${jobId}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...more },
    signal: AbortSignal.timeout(20_000),
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    onText(text)
  }
  expect(text.startsWith('retry: ')).toBe(true)
  return parsedEvents(text)
}

function parsedEvents(text: string): [string, Record<string, unknown>][] {
  return [...text.matchAll(/^event: (\w+)\ndata: (.+)\n$/gm)].map(([, name = '', data = '']) => [
    name,
    JSON.parse(data),
  ])
}

test('reports progress until the job is done', async () => {
  const { job, read, release } = await started()
  expect(job).toMatchObject({ language: 'ja', prNumber: 1, error: null, articleId: null })
  expect(['queued', 'running']).toContain(job.status)
  const events = await eventsOf(job.id, {}, (text) => text.includes('"stage":"writing"') && release())
  expect(events.map(([name]) => name)).toEqual([...events.slice(1).map(() => 'progress'), 'succeeded'])
  const progresses = events.map(([, { progress }]) => Number(progress))
  expect(progresses).toEqual(progresses.toSorted((a, b) => a - b))
  const done = await read()
  expect(done).toEqual(events.at(-1)?.[1])
  expect(done).toMatchObject({ status: 'succeeded', stage: 'done', progress: 1 })
  const article = await service.call('getArticleById', { params: { articleId: done.articleId } })
  expect(article.status).toBe(200)
})

test('while the model streams its output, reports progress at most once a second', async () => {
  const enough = Promise.withResolvers<void>()
  service.model.next(async (_, response, good) => {
    startStream(response)
    const timer = setInterval(() => response.write(piece({ content: ' '.repeat(200) })), 50)
    await enough.promise
    clearInterval(timer)
    response.end(piece({ content: JSON.stringify(good) }) + DONE)
  })
  const { body } = await generate(aPull(service), token, undefined, { prefer: 'respond-async' })
  const isStreamed = ({ stage, progress }: Record<string, unknown>) => stage === 'writing' && Number(progress) > 0.2
  const events = await eventsOf(body.data.id, {}, (text) => {
    if (parsedEvents(text).filter(([, job]) => isStreamed(job)).length === 3) enough.resolve()
  })
  const progresses = events.map(([, { progress }]) => Number(progress))
  expect(progresses).toEqual(progresses.toSorted((a, b) => a - b))
  expect(events.at(-1)?.[0]).toBe('succeeded')
  const times = events.filter(([, job]) => isStreamed(job)).map(([, job]) => Date.parse(String(job['updatedAt'])))
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(900)
})

test('an event stream resumes after the event that Last-Event-ID names', async () => {
  const { job, read, release } = await started()
  await expect.poll(async () => (await read()).stage).toBe('writing')
  const { status, stage, progress } = await read()
  const events = await eventsOf(job.id, { 'last-event-id': `${status} ${stage} ${progress}` }, () => release())
  expect(events[0]?.[1]['progress']).toBeGreaterThan(progress)
  expect(events.at(-1)?.[0]).toBe('succeeded')
  expect((await eventsOf(job.id, { 'last-event-id': 'succeeded done 1' })).map(([name]) => name)).toEqual(['succeeded'])
})

test('reports why the job failed', async () => {
  service.model.next(behaves.says('no'), behaves.says('no'), behaves.says('no'))
  const { body } = await generate(aPull(service), token, undefined, { prefer: 'respond-async' })
  const events = await eventsOf(body.data.id)
  expect(events.at(-1)).toMatchObject(['failed', { status: 'failed', error: { code: 'GENERATION_FAILED' } }])
})

test('lets anyone who may see the repository follow its jobs, and returns 404 for an unknown job', async () => {
  const { job, release } = await started()
  release()
  const other = await service.signedUp('other')
  expect((await service.call('getArticleJob', { token: other, params: { jobId: job.id } })).status).toBe(200)
  const { status, body } = await service.call('getArticleJob', { token, params: { jobId: randomUUID() } })
  expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
})

test('starts no event stream for HEAD, and at most 20 concurrent ones for a caller', async () => {
  const { job, release } = await started()
  const ask = (method: string, signal?: AbortSignal) =>
    fetch(`${service.url}/article-jobs/${job.id}`, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      ...(signal && { signal }),
    })
  expect((await ask('HEAD')).headers.get('content-type')).toBe('application/json; charset=utf-8')
  const leaving = new AbortController()
  const responses = await Promise.all(Array.from({ length: 25 }, () => ask('GET', leaving.signal)))
  const refused = responses.filter(({ status }) => status === 429)
  expect([responses.filter(({ status }) => status === 200).length, refused.length]).toEqual([20, 5])
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused[0]?.headers.get('content-type')).toBe('application/json; charset=utf-8')
  leaving.abort()
  await expect
    .poll(async () => {
      const next = new AbortController()
      const { status } = await ask('GET', next.signal)
      next.abort()
      return status
    })
    .toBe(200)
  release()
})

test('logs status 499 if a client disconnects before the response, and 200 if during an event stream', async () => {
  const { job, release } = await started()
  const before = service.logged.length
  const linesOf = (id: string) =>
    service.logged
      .slice(before)
      .map((line) => JSON.parse(line))
      .filter(({ operationId }) => operationId === id)
      .map(({ status }) => status)
  const leaving = new AbortController()
  const { signal } = leaving
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  await fetch(`${service.url}/article-jobs/${job.id}`, { headers, signal })
  const wait = { method: 'POST', headers: { authorization: headers.authorization, prefer: 'wait=20' }, signal }
  const waiting = fetch(`${service.url}/repos/${job.owner}/${job.repo}/pulls/${job.prNumber}/article`, wait)
  await sleep(300)
  leaving.abort()
  await expect(waiting).rejects.toThrow()
  await expect.poll(() => [linesOf('getArticleJob'), linesOf('generateArticle')]).toEqual([[200], [499]])
  release()
})

test('ends the event stream of a session that logs out', async () => {
  const { job, read, release } = await started()
  const leaver = await service.signedUp('leaver')
  const firstEvent = Promise.withResolvers<void>()
  const events = eventsOf(job.id, { authorization: `Bearer ${leaver}` }, () => firstEvent.resolve())
  await firstEvent.promise
  const loggedOutAt = performance.now()
  expect((await service.call('logOut', { token: leaver })).status).toBe(200)
  expect((await events).map(([name]) => name)).not.toContain('succeeded')
  expect(performance.now() - loggedOutAt).toBeLessThan(5000)
  release()
  await expect.poll(async () => (await read()).status).toBe('succeeded')
})
