import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { hold } from '../support/hold.ts'
import { pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const token = await service.signedUp('reader')
const { get, ingested } = pullsOf(service)
const place = 'acme/large#1'
const comments = Array.from({ length: 70 }, (_, i) => ({
  author: 'a',
  body: `${i} ${'long '.repeat(12_800)}`,
  at: '2026-01-01T00:00:00Z',
}))
repositoryOf(service, 'acme/large', { pulls: [{ number: 1, comments }] })
await ingested(place, token)

async function requestWithoutReading(times = 1): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').pause()
  socket.write('GET /repos/acme/large/pulls/1 HTTP/1.1\r\nHost: pullpress\r\n\r\n'.repeat(times))
  await once(socket, 'connect')
  return socket
}

test.each([
  ['on a connection each', () => Promise.all(Array.from({ length: 80 }, () => requestWithoutReading()))],
  ['on one connection', async () => [await requestWithoutReading(80)]],
])('sheds large responses when clients do not read them (%s)', async (_, ask) => {
  expect((await get(place)).status).toBe(200)
  const sockets = await ask()
  // Requests that were refused may have freed memory for one more response, so each attempt adds a request.
  const oneMore = async () => {
    sockets.push(await requestWithoutReading())
    return (await get(place)).status
  }
  await expect.poll(oneMore).toBe(503)
  expect((await get(place)).headers.get('retry-after')).not.toBeNull()
  expect((await service.call('getCurrentUser', { token })).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await get(place)).status).toBe(200)
})

test('buffers nothing for clients that disconnect before the response', async () => {
  const release = await hold(service.ctx.db, (trx) =>
    sql`lock table pull_requests in access exclusive mode`.execute(trx),
  )
  const sockets = await Promise.all(Array.from({ length: 80 }, () => requestWithoutReading()))
  await sleep(300)
  for (const socket of sockets) socket.destroy()
  await sleep(300)
  await release()
  await expect.poll(() => service.ctx.connections().awaited).toBe(0)
  for (let i = 0; i < 5; i++) expect((await get(place)).status).toBe(200)
})
