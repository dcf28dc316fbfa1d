import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { nextOffset, startDatabaseClock } from '../../src/db/engine/databaseClock.ts'
import { MAX_CLOCK_ERROR_MS } from '../../src/lib/clock.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { db } = service.ctx
afterAll(() => service.close())
afterEach(() => void vi.useRealTimers())

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test.each([
  ['measures half a round trip', 0, { database: 5000, machine: 1000, roundTrip: 40 }, 4020],
  ['measures a clock that is behind', 0, { database: 1000, machine: 5000, roundTrip: 40 }, -3980],
  ['ignores a difference within the error', 0, { database: 1000, machine: 1010, roundTrip: 40 }, 0],
  ['follows a change', 4020, { database: 5000, machine: 5010, roundTrip: 10 }, -5],
  ['ignores a change within the error', 4020, { database: 5000, machine: 1000, roundTrip: 20 }, 4020],
  ['ignores a long round trip', 4020, { database: 5000, machine: 1500, roundTrip: 1200 }, 4020],
  ['corrects a wrong offset after a long trip', 4020, { database: 95_000, machine: 1000, roundTrip: 400 }, 94_200],
])('nextOffset %s', (_, former, measurement, offsetMs) => {
  expect(nextOffset(former, measurement)).toBe(offsetMs)
})

async function started() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const machine = { aheadMs: -HOUR_MS }
  const clock = await startDatabaseClock(db, () => Date.now() + machine.aheadMs)
  const differs = () => Math.abs(clock.offsetMs() + machine.aheadMs)
  return { machine, clock, differs }
}

test('measures the offset at the start and every minute, until the clock is stopped', async () => {
  const { machine, clock, differs } = await started()
  expect(differs()).toBeLessThan(MAX_CLOCK_ERROR_MS)
  machine.aheadMs = HOUR_MS
  // On a busy machine, a round trip may take too long for an exact offset: the clock measures again a minute later.
  const nextMinute = () => {
    vi.advanceTimersByTime(MINUTE_MS)
    return differs()
  }
  await expect.poll(nextMinute).toBeLessThan(MAX_CLOCK_ERROR_MS)
  clock.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('keeps the offset while the database does not answer', async () => {
  const { clock } = await started()
  const before = clock.offsetMs()
  const failing = Promise.withResolvers<void>()
  const connection = vi.spyOn(db, 'connection').mockImplementation(() => {
    failing.resolve()
    throw new Error('The connection is lost.')
  })
  vi.advanceTimersByTime(MINUTE_MS)
  await failing.promise
  expect(clock.offsetMs()).toBe(before)
  connection.mockRestore()
  clock.stop()
})
