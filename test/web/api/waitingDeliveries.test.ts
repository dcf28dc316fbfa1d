import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { shedLoad } from '../../../src/web/server/shed.ts'
import { startService } from '../../support/service.ts'
import { WEBHOOK_SECRET } from '../../support/webhooks.ts'

const { ctx, close } = await startService({ env: { WEBHOOK_SECRET } })
afterAll(close)

// With fake timers, the time that a slow sender may hold a slot does not pass while the machine is busy.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function arrive(url: string): { request: IncomingMessage; response: ServerResponse } {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'POST', url })
  return { request, response: new ServerResponse(request) }
}

test('20 webhook deliveries are handled at a time, 2,500 wait, and further ones get 503', async () => {
  let handled = 0
  let atOnce = 0
  let most = 0
  const { listener, stop } = shedLoad(ctx, (_, response) => {
    handled += 1
    atOnce += 1
    most = Math.max(most, atOnce)
    setImmediate(() => {
      atOnce -= 1
      response.emit('close')
    })
  })
  const deliveries = Array.from({ length: 2600 }, () => arrive('/webhooks/host?'))
  for (const { request, response } of deliveries) listener(request, response)
  await expect.poll(() => handled).toBe(2520)
  expect(most).toBe(20)
  const refused = deliveries.filter(({ response }) => response.statusCode === 503)
  expect(refused.length).toBe(80)
  stop()
})

test('a delivery that arrives slowly holds its slot for at most 100 ms', async () => {
  const handled: unknown[] = []
  const { listener, stop } = shedLoad(ctx, (request) => void handled.push(request))
  for (const { request, response } of Array.from({ length: 21 }, () => arrive('/webhooks/host')))
    listener(request, response)
  await expect.poll(() => handled.length).toBe(20)
  await vi.advanceTimersByTimeAsync(99)
  expect(handled).toHaveLength(20)
  await vi.advanceTimersByTimeAsync(1)
  expect(handled).toHaveLength(21)
  stop()
})

test('a delivery whose sender has disconnected is not handled and frees its slot', async () => {
  const handled: unknown[] = []
  const { listener, stop } = shedLoad(ctx, (request, response) => {
    handled.push(request)
    response.emit('close')
  })
  const left = arrive('/webhooks/host')
  const stayed = arrive('/webhooks/host')
  left.response.destroy()
  for (const { request, response } of [left, stayed]) listener(request, response)
  await expect.poll(() => handled).toEqual([stayed.request])
  stop()
})

test('an overloaded node still handles webhook deliveries', async () => {
  const overloaded = { ...ctx, connections: () => ({ ...ctx.connections(), most: 10, awaited: 1000 }) }
  const handled: string[] = []
  const { listener, stop } = shedLoad(overloaded, (request, response) => {
    handled.push(request.url ?? '')
    response.emit('close')
  })
  const others = ['/webhooks/hosts', '/users/me'].map(arrive)
  for (const { request, response } of [...others, arrive('/webhooks/host')]) listener(request, response)
  await expect.poll(() => handled).toEqual(['/webhooks/host'])
  for (const { response } of others) expect(response.statusCode).toBe(503)
  stop()
})
