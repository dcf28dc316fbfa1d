import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('returns the account in the response envelope', async () => {
  const token = await service.signedUp('hanako')
  const { status, body } = await service.call('getCurrentUser', { token })
  expect(status).toBe(200)
  expect(body).toMatchObject({ success: true, data: { hostUsername: 'hanako', language: 'ja' } })
})

test('returns USER_NOT_FOUND for a valid token before sign-up', async () => {
  const { status, body } = await service.call('getCurrentUser', { token: service.host.token('early') })
  expect([status, body.error.code]).toEqual([404, 'USER_NOT_FOUND'])
})
