import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createPrecedence } from '../../src/limits/precedence.ts'
import { startService } from '../support/service.ts'

const LONG_MS = 60_000

test('waits for the requests that are being served, not for later ones', async () => {
  const precedence = createPrecedence({ maxBusyMs: LONG_MS, maxWaitMs: LONG_MS })
  const done: string[] = []
  const leaves = [precedence.enter(), precedence.enter()]
  const waiting = precedence.giveWay().then(() => done.push('gave way'))
  await nextTurn()
  precedence.enter()
  for (const leave of leaves) {
    await nextTurn()
    done.push('left')
    leave()
  }
  await waiting
  expect(done).toEqual(['left', 'left', 'gave way'])
})

test('does not wait without requests, nor for one that takes long', async () => {
  const precedence = createPrecedence({ maxBusyMs: 1, maxWaitMs: LONG_MS })
  await precedence.giveWay()
  precedence.enter()
  await sleep(2)
  await precedence.giveWay()
})

test('waits for a short time only', async () => {
  const precedence = createPrecedence({ maxBusyMs: LONG_MS, maxWaitMs: 1 })
  precedence.enter()
  await precedence.giveWay()
})

test('a search lets other requests be served between its steps, and does not wait for itself', async () => {
  const service = await startService()
  const { precedence } = service.ctx.gates
  const { giveWay } = precedence
  const statuses: number[] = []
  vi.spyOn(precedence, 'giveWay').mockImplementation(async () => {
    statuses.push((await service.call('listRepositories', {})).status)
    await giveWay()
  })
  const entered = vi.spyOn(precedence, 'enter')
  expect((await service.call('listArticles', { query: { q: 'word' } })).status).toBe(200)
  expect(statuses).toEqual([200, 200, 200])
  expect(entered).toHaveBeenCalledTimes(statuses.length)
  await service.close()
})
