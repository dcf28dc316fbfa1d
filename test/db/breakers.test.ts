import { afterAll, expect, test } from 'vitest'
import { claimTrial, findBreaker, recordError } from '../../src/db/articles/breakers.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { db } = service.ctx
const later = (seconds: number) => new Date(Date.UTC(2026, 0) + seconds * 1000)
const failed = (name: string, openUntil: Date, retryAt: Date | null = null) =>
  recordError(db, name, { failuresToOpen: 3, openUntil, retryAt })

test('a breaker opens after three failures in a row', async () => {
  for (let failures = 0; failures < 2; failures++) await failed('three', later(30))
  expect(await findBreaker(db, 'three')).toBeUndefined()
  await failed('three', later(30))
  expect(await findBreaker(db, 'three')).toMatchObject({ failures: 3, open_until: later(30), trial: null })
})

test('a failed trial opens the breaker again, even if it was opened by the first failure', async () => {
  await failed('trial', later(30), later(10))
  const trial = { name: 'trial', trial: crypto.randomUUID(), until: later(100) }
  expect(await claimTrial(db, trial, later(9))).toBe(false)
  expect(await claimTrial(db, trial, later(10))).toBe(true)
  expect(await claimTrial(db, { ...trial, trial: crypto.randomUUID() }, later(11))).toBe(false)
  await failed('trial', later(40))
  expect(await findBreaker(db, 'trial')).toMatchObject({ open_until: later(40), trial: null })
})
