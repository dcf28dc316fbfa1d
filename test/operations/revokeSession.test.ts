import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

async function currentSessionId(token: string): Promise<string> {
  const { body } = await service.call('listSessions', { token })
  return body.data.find((session: { current: boolean }) => session.current).id
}

test('ends another session of the account, idempotently', async () => {
  const laptop = await service.signedUp('hanako')
  const phone = service.host.token('hanako')
  const params = { sessionId: await currentSessionId(phone) }
  expect((await service.call('revokeSession', { token: laptop, params })).status).toBe(204)
  expect((await service.call('getCurrentUser', { token: phone })).status).toBe(401)
  expect((await service.call('signUp', { token: phone })).status).toBe(401)
  expect((await service.call('revokeSession', { token: laptop, params })).status).toBe(204)
  expect((await service.call('getCurrentUser', { token: laptop })).status).toBe(200)
})

test('ends the current session', async () => {
  const token = await service.signedUp('taro')
  const params = { sessionId: await currentSessionId(token) }
  expect((await service.call('revokeSession', { token, params })).status).toBe(204)
  expect((await service.call('getCurrentUser', { token })).status).toBe(401)
})

test('returns the same error for sessions of other accounts and for unknown sessions', async () => {
  const mine = await service.signedUp('jiro')
  const theirs = await service.signedUp('saburo')
  const foreign = await service.call('revokeSession', {
    token: mine,
    params: { sessionId: await currentSessionId(theirs) },
  })
  const never = await service.call('revokeSession', {
    token: mine,
    params: { sessionId: '0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a01' },
  })
  expect([foreign.status, foreign.body.error.code, foreign.body.message]).toEqual([
    never.status,
    never.body.error.code,
    never.body.message,
  ])
  expect(never.status).toBe(404)
  expect((await service.call('getCurrentUser', { token: theirs })).status).toBe(200)
  expect((await service.call('revokeSession', { token: mine, params: { sessionId: 'seven' } })).status).toBe(400)
})
