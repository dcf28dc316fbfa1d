import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { behaves } from '../support/fakeModel.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { generate } = articlesOf(service)
const token = await service.signedUp('reader')

async function started(milliseconds: number) {
  service.model.next(behaves.slow(milliseconds))
  const { body } = await generate(aPull(service), token, undefined, { prefer: 'respond-async' })
  return body.data
}

/** The events of a job as they come, each with its name. */
async function eventsOf(
  jobId: string,
  more: Record<string, string> = {},
): Promise<[string, Record<string, unknown>][]> {
  const response = await fetch(`${service.url}/article-jobs/${jobId}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...more },
    signal: AbortSignal.timeout(20_000),
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const text = await response.text()
  expect(text.startsWith('retry: ')).toBe(true)
  return [...text.matchAll(/^event: (\w+)\ndata: (.+)$/gm)].map(([, name = '', data = '']) => [name, JSON.parse(data)])
}

test('tells how far the writing is, until it is done', async () => {
  const job = await started(500)
  expect(job).toMatchObject({ language: 'ja', prNumber: 1, error: null, articleId: null })
  expect(['queued', 'running']).toContain(job.status)
  const events = await eventsOf(job.id)
  expect(events.map(([name]) => name)).toEqual([...events.slice(1).map(() => 'progress'), 'succeeded'])
  const shares = events.map(([, { progress }]) => Number(progress))
  expect(shares).toEqual(shares.toSorted((one, other) => one - other))
  expect(events.length).toBeGreaterThan(2)
  const { body } = await service.call('getArticleJob', { token, params: { jobId: job.id } })
  expect(body.data).toEqual(events.at(-1)?.[1])
  expect(body.data).toMatchObject({ status: 'succeeded', stage: 'done', progress: 1 })
  const article = await service.call('getArticleById', { params: { articleId: body.data.articleId } })
  expect(article.status).toBe(200)
})

test('goes on after the last event that was seen', async () => {
  const job = await started(1500)
  const read = async () => (await service.call('getArticleJob', { token, params: { jobId: job.id } })).body.data
  await expect.poll(async () => (await read()).stage).toBe('writing')
  const { status, stage, progress } = await read()
  const events = await eventsOf(job.id, { 'last-event-id': `${status} ${stage} ${progress}` })
  expect(events[0]?.[1]['progress']).toBeGreaterThan(progress)
  expect(events.at(-1)?.[0]).toBe('succeeded')
  expect((await eventsOf(job.id, { 'last-event-id': 'succeeded done 1' })).map(([name]) => name)).toEqual(['succeeded'])
})

test('tells why the writing failed', async () => {
  service.model.next(behaves.says('no'), behaves.says('no'))
  const { body } = await generate(aPull(service), token, undefined, { prefer: 'respond-async' })
  const events = await eventsOf(body.data.id)
  expect(events.at(-1)).toMatchObject(['failed', { status: 'failed', error: { code: 'GENERATION_FAILED' } }])
})

test('anyone who may see the repository may follow its jobs; to others there is none', async () => {
  const { id } = await started(0)
  const other = await service.signedUp('other')
  expect((await service.call('getArticleJob', { token: other, params: { jobId: id } })).status).toBe(200)
  const { status, body } = await service.call('getArticleJob', { token, params: { jobId: randomUUID() } })
  expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
})

test('HEAD follows nothing, and nobody follows more than twenty at once', async () => {
  const { id } = await started(3000)
  const ask = (method: string, signal?: AbortSignal) =>
    fetch(`${service.url}/article-jobs/${id}`, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      ...(signal && { signal }),
    })
  expect((await ask('HEAD')).headers.get('content-type')).toBe('application/json; charset=utf-8')
  const leaving = new AbortController()
  const open = await Promise.all(Array.from({ length: 20 }, () => ask('GET', leaving.signal)))
  expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]))
  const refused = await ask('GET')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  leaving.abort()
  await expect
    .poll(
      async () => {
        const next = new AbortController()
        const { status } = await ask('GET', next.signal)
        next.abort()
        return status
      },
      { timeout: 5000 },
    )
    .toBe(200)
})
