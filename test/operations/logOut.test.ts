import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('revokes the token of the request immediately and permanently, and no other token', async () => {
  const token = await service.signedUp('hanako')
  const other = service.host.token('hanako')
  const { status, body } = await service.call('logOut', { token })
  expect(status).toBe(200)
  expect(Date.parse(body.data.revokedAt)).toBeCloseTo(Date.now(), -5)
  const refused = await service.call('getCurrentUser', { token })
  expect([refused.status, refused.body.error.code]).toEqual([401, 'UNAUTHENTICATED'])
  expect((await service.call('logOut', { token })).status).toBe(401)
  expect((await service.call('signUp', { token })).status).toBe(401)
  expect((await service.call('getCurrentUser', { token: other })).status).toBe(200)
})

test('a token stays revoked after its session and account are deleted, and only its hash stays stored', async () => {
  const token = await service.signedUp('leaver')
  const staying = service.host.token('leaver')
  await service.call('logOut', { token })
  expect((await service.call('deleteCurrentUser', { token: staying })).status).toBe(204)
  await service.ctx.db.deleteFrom('sessions').execute()
  const callsBefore = service.host.calls.length
  expect((await service.call('getCurrentUser', { token })).status).toBe(401)
  expect((await service.call('signUp', { token })).status).toBe(401)
  expect(service.host.calls.length).toBe(callsBefore)
  const [row] = await service.ctx.db.selectFrom('revoked_tokens').selectAll().execute()
  expect(Object.keys(row ?? {})).toEqual(['revocation_hash'])
})

test('revokes the token also if the account is deleted at the same time', async () => {
  for (let i = 0; i < 10; i++) {
    const token = await service.signedUp(`torn-${i}`)
    const other = service.host.token(`torn-${i}`)
    await service.call('getCurrentUser', { token: other })
    const [loggedOut] = await Promise.all([
      service.call('logOut', { token }),
      service.call('deleteCurrentUser', { token: other }),
    ])
    expect(loggedOut.status).toBe(200)
    expect((await service.call('getCurrentUser', { token })).status).toBe(401)
  }
})

test('revokes the token of a caller without an account', async () => {
  const token = service.host.token('visitor')
  expect((await service.call('logOut', { token })).status).toBe(200)
  expect((await service.call('signUp', { token })).status).toBe(401)
})
