import { connect } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { behaves } from '../support/fakeModel.ts'

const LAG_MS = 200
const NEVER_CHANGED = new Int32Array(new SharedArrayBuffer(4))
const ORIGIN = 'https://app.example'
/** Longer than a node keeps measuring event loop lag after the last request. */
const IDLE_MS = 6000
const service = await startWritingService({ CORS_ORIGINS: ORIGIN }, { shedsWhenLagging: true })
afterAll(() => service.close())

const STATUS_LINE_LENGTH = 'HTTP/1.1 200'.length

/** Pipelines the requests over one connection: hundreds of connections would slow the machine for seconds. */
async function sendPipelined(times: number, path: string, token: string): Promise<number[]> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('latin1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: pullpress\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(times))
  const statuses: number[] = []
  let rest = ''
  for await (const chunk of socket) {
    const text: string = rest + chunk
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) statuses.push(Number(status))
    if (statuses.length === times) return statuses
    // Keeps the end of the text, because chunks may split a status line. The end is too short to be counted twice.
    rest = text.slice(-STATUS_LINE_LENGTH + 1)
  }
  throw new Error('The connection closed before all responses arrived.')
}

/**
 * Sends requests until `count` of them wait for a connection. Retries because a wait ends after two seconds and the
 * machine may stall for longer.
 */
async function fillQueue(count: number, times: number, token: string): Promise<{ answers: Promise<number[]> }> {
  for (let tries = 0; tries < 5; tries++) {
    let isOver = false
    const answers = sendPipelined(times, '/users/me', token).finally(() => {
      isOver = true
    })
    for (; !isOver; await sleep(10)) if (service.ctx.connections().awaited >= count) return { answers }
  }
  throw new Error(`There were never ${count} that waited.`)
}

function countShed(): number {
  const counts = service.logged.map((line) => Number(JSON.parse(line).refused ?? 0))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Fills the queue for connections, then sends one more request while the others still wait. */
async function sendBehindQueue(token: string) {
  const headers = { authorization: `Bearer ${token}`, origin: ORIGIN }
  const queued = await fillQueue(501, 600, token)
  const [refused, health] = await Promise.all([
    fetch(`${service.url}/users/me`, { headers }),
    fetch(`${service.url}/healthz`),
  ])
  return { queued, refused, health, wasQueueDrained: service.ctx.connections().awaited <= 500 }
}

test('sheds load with 503 while /healthz keeps answering', async () => {
  const token = await service.signedUp('reader')
  const holder = new pg.Client({ connectionString: service.database.env['DATABASE_URL'] })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin')
  await holder.query('lock table sessions in access exclusive mode')
  const holding = await fillQueue(10, 20, token)
  expect(service.ctx.connections().open).toBe(10)
  // Requests stop waiting after two seconds, and a slow machine may stall for that long.
  let outcome = await sendBehindQueue(token)
  for (let tries = 1; outcome.wasQueueDrained && tries < 5; tries++) outcome = await sendBehindQueue(token)
  const { queued, refused, health, wasQueueDrained } = outcome
  await holder.query('rollback')
  expect(wasQueueDrained).toBe(false)
  expect([refused.status, health.status]).toEqual([503, 200])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({
    success: false,
    error: { code: 'SERVICE_UNAVAILABLE', requestId: refused.headers.get('x-request-id') },
  })
  // Cross-origin pages can read the refusal.
  expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN)
  expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')

  expect(await holding.answers).toContain(200)
  expect(new Set(await queued.answers)).toEqual(new Set([200, 503]))
  await expect.poll(countShed).toBeGreaterThan(0)
  expect((await service.call('getCurrentUser', { token })).status).toBe(200)
})

/** Blocks the event loop until stopped, without using the processor. */
function startLagging(): () => Promise<void> {
  let isBusy = true
  const lagging = (async () => {
    while (isBusy) {
      Atomics.wait(NEVER_CHANGED, 0, 0, LAG_MS)
      await nextTurn()
    }
  })()
  return () => {
    isBusy = false
    return lagging
  }
}

const getRanking = async () => (await fetch(`${service.url}/ranking/articles/likes`)).status
const getRankingSixtyTimes = () => Promise.all(Array.from({ length: 60 }, getRanking))

test('limits concurrency while the event loop lags, sheds the rest, and recovers', async () => {
  expect(new Set(await getRankingSixtyTimes())).toEqual(new Set([200]))
  const stopLagging = startLagging()
  await expect.poll(getRankingSixtyTimes, { timeout: 30_000 }).toContain(503)
  expect(await getRankingSixtyTimes()).toContain(200)
  // A single request is never shed: it did not cause the lag.
  expect(await getRanking()).toBe(200)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  await stopLagging()
  await expect.poll(getRankingSixtyTimes).not.toContain(503)
})

test('sheds load again after an idle time without lag measurements', async () => {
  await sleep(IDLE_MS)
  const stopLagging = startLagging()
  await expect.poll(getRankingSixtyTimes, { timeout: 30_000 }).toContain(503)
  await stopLagging()
  await expect.poll(getRankingSixtyTimes).not.toContain(503)
})

test('does not count event streams against the concurrency limit while the event loop lags', async () => {
  const token = await service.signedUp('follower')
  service.model.always(behaves.hang)
  const { body } = await articlesOf(service).generate(aPull(service), token, undefined, { prefer: 'respond-async' })
  const leaving = new AbortController()
  const stopLagging = startLagging()
  await expect.poll(getRankingSixtyTimes, { timeout: 30_000 }).toContain(503)
  const follow = async () => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    return (await fetch(`${service.url}/article-jobs/${body.data.id}`, { headers, signal: leaving.signal })).status
  }
  expect(new Set(await Promise.all(Array.from({ length: 20 }, follow)))).toEqual(new Set([200]))
  await sleep(1000)
  for (let n = 0; n < 5; n++) expect(await getRanking()).toBe(200)
  leaving.abort()
  await stopLagging()
})

test('serves other requests under a flood of readiness checks', async () => {
  const token = await service.signedUp('patient')
  const asking = sendPipelined(2000, '/readyz', token)
  const others: number[] = []
  const isOver = asking.then(() => true)
  while (!(await Promise.race([isOver, nextTurn(false)]))) others.push(await getRanking())
  expect(new Set(await asking)).toEqual(new Set([200]))
  expect(new Set(others)).toEqual(new Set([200]))
})
