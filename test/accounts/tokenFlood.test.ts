import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
afterAll(() => service.close())

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('two thousand random tokens from one address cost 60 calls, and disturb nobody elsewhere', async () => {
  const before = service.host.callsTo('/user')
  const statuses = new Map<number, number>()
  const attack = async (worker: number) => {
    for (let i = 0; i < 40; i++) {
      const { status } = await service.call('getCurrentUser', {
        token: `random-${worker}-${i}`,
        ...from('203.0.113.9'),
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const newcomer = async () => {
    const token = service.host.token('newcomer')
    const { status } = await service.call('signUp', { token, ...from('198.51.100.7') })
    return status
  }
  const [signedUp] = await Promise.all([newcomer(), ...Array.from({ length: 50 }, (_, worker) => attack(worker))])
  expect(signedUp).toBe(201)
  expect(service.host.callsTo('/user') - before).toBe(61)
  expect(Object.fromEntries(statuses)).toEqual({ 401: 60, 429: 1940 })
  const late = await service.call('signUp', { token: service.host.token('late'), ...from('198.51.100.8') })
  expect(late.status).toBe(201)
  service.advance(120_000)
  const after = await service.call('getCurrentUser', { token: 'random-again', ...from('203.0.113.9') })
  expect(after.status).toBe(401)
})
