import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const revoke = (token: string, tokenId: string) => service.call('revokeToken', { token, params: { tokenId } })

test('ends a token of the account at once, idempotently, and no other', async () => {
  const owner = await service.signedUp('hanako')
  const [ended, kept] = [await service.apiToken(owner, ['read']), await service.apiToken(owner, ['read'])]
  expect((await service.call('getCurrentUser', { token: ended.token })).status).toBe(200)
  for (let i = 0; i < 2; i++) {
    expect((await revoke(owner, ended.id)).status).toBe(204)
    const { status, body } = await service.call('getCurrentUser', { token: ended.token })
    expect([status, body.message]).toEqual([401, 'This token was revoked.'])
  }
  for (const token of [kept.token, owner]) expect((await service.call('getCurrentUser', { token })).status).toBe(200)
})

test('returns the same error for tokens of other accounts, unknown tokens and sessions', async () => {
  const [mine, theirs] = [await service.signedUp('jiro'), await service.signedUp('saburo')]
  const { id, token } = await service.apiToken(theirs)
  const { body: sessions } = await service.call('listSessions', { token: mine })
  for (const tokenId of [id, '0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a01', sessions.data[0].id]) {
    const { status, body } = await revoke(mine, tokenId)
    expect([status, body.error.code, body.message]).toEqual([404, 'NOT_FOUND', 'This account has no such token.'])
  }
  expect((await service.call('getCurrentUser', { token })).status).toBe(200)
  expect((await revoke(mine, 'seven')).status).toBe(400)
})
