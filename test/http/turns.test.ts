import { expect, test } from 'vitest'
import { createTurns } from '../../src/limits/turns.ts'

test('refuses work that waited too long for a place, and never starts it', async () => {
  const turns = createTurns({ atOnce: 1, maxWaiting: 10, maxWaitMs: 50 })
  const held = Promise.withResolvers<void>()
  const holding = turns.take(() => held.promise)
  let isStarted = false
  const waiting = turns.take(async () => {
    isStarted = true
  })
  await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 2 })
  held.resolve()
  await holding
  expect(await turns.take(async () => 'next')).toBe('next')
  expect(isStarted).toBe(false)
})

test('places that long work gave up do not rest', async () => {
  const turns = createTurns({ atOnce: 1, maxWaiting: 100, rest: 100, maxBusyMs: 5 })
  const started = performance.now()
  const held = Promise.withResolvers<void>()
  const working = Promise.all(Array.from({ length: 20 }, () => turns.take(() => held.promise)))
  expect(await turns.take(async () => 'after all of them')).toBe('after all of them')
  expect(performance.now() - started).toBeLessThan(1500)
  held.resolve()
  await working
})
