import { afterAll, expect, test } from 'vitest'
import { isLeased, renewLease, returnLease, takeLease, takeOrTakeOver } from '../../src/db/jobs/leases.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { db } = service.ctx

const ONE = '00000000-0000-7000-8000-000000000001'
const OTHER = '00000000-0000-7000-8000-000000000002'
const durationMs = 60_000
const now = new Date()
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const leaseOf = (name: string, holder: string) => ({ name, holder, durationMs })

test('only one holder has a lease until it expires', async () => {
  expect(await takeLease(db, leaseOf('a', ONE), now)).toBe(true)
  expect(await takeLease(db, leaseOf('a', OTHER), later(59))).toBe(false)
  expect(await takeLease(db, leaseOf('a', ONE), later(30))).toBe(true)
  expect(await isLeased(db, { name: 'a', durationMs }, later(89))).toBe(true)
  expect(await isLeased(db, { name: 'a', durationMs }, later(91))).toBe(false)
  expect(await takeOrTakeOver(db, leaseOf('a', OTHER), later(91))).toEqual({ isTakenOver: true })
})

test('a holder whose lease was taken over can neither renew nor return it', async () => {
  await takeLease(db, leaseOf('b', ONE), now)
  expect(await renewLease(db, leaseOf('b', ONE), later(30))).toBe(true)
  await takeLease(db, leaseOf('b', OTHER), later(91))
  expect(await renewLease(db, leaseOf('b', ONE), later(91))).toBe(false)
  await returnLease(db, leaseOf('b', ONE))
  expect(await isLeased(db, { name: 'b', durationMs }, later(92))).toBe(true)
  await returnLease(db, leaseOf('b', OTHER))
  expect(await takeOrTakeOver(db, leaseOf('b', ONE), later(92))).toEqual({ isTakenOver: false })
})

test('another holder can take a lease that a wrong clock dated too far ahead', async () => {
  await takeLease(db, leaseOf('c', ONE), later(3600))
  expect(await takeLease(db, leaseOf('c', OTHER), now)).toBe(true)
})
