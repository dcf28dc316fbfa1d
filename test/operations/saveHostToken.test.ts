import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('saves a token of the same code-host user and replaces the previous one', async () => {
  const token = await service.signedUp('hanako')
  for (const hostAccessToken of [token, service.host.token('hanako')]) {
    const { status, body } = await service.call('saveHostToken', { token, body: { hostAccessToken } })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ hostUsername: 'hanako', scopes: ['repo', 'read:user'] })
  }
  const rows = await service.ctx.db.selectFrom('host_tokens').selectAll().execute()
  expect(rows).toHaveLength(1)
})

test('rejects invalid tokens and tokens of other users', async () => {
  const token = await service.signedUp('careful')
  const refused = await service.call('saveHostToken', { token, body: { hostAccessToken: 'made-up' } })
  expect([refused.status, refused.body.error.code]).toEqual([401, 'HOST_TOKEN_INVALID'])
  const foreign = service.host.token('stranger')
  const forbidden = await service.call('saveHostToken', { token, body: { hostAccessToken: foreign } })
  expect([forbidden.status, forbidden.body.error]).toMatchObject([
    403,
    { code: 'FORBIDDEN', details: { reason: 'token_owner_mismatch' } },
  ])
})

test('verifies at most 60 invalid tokens a minute for one account', async () => {
  const token = await service.signedUp('prober')
  const before = service.host.callsTo('/user')
  const attempts = Array.from({ length: 100 }, (_, i) => ({ token, body: { hostAccessToken: `guess-${i}` } }))
  const answers = await Promise.all(attempts.map((attempt) => service.call('saveHostToken', attempt)))
  expect(service.host.callsTo('/user') - before).toBe(60)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(40)
  expect((await service.call('getCurrentUser', { token })).status).toBe(200)
})

test.each([[{}], [{ hostAccessToken: 7 }], [{ hostAccessToken: 'x'.repeat(1025) }]])('rejects %j', async (body) => {
  const token = service.host.token('fussy')
  await service.call('signUp', { token })
  const { status } = await service.call('saveHostToken', { token, body })
  expect(status).toBe(400)
})

test('rejects a token that was logged out', async () => {
  const kept = await service.signedUp('twofold')
  const ended = service.host.token('twofold')
  expect((await service.call('logOut', { token: ended })).status).toBe(200)
  const { status, body } = await service.call('saveHostToken', { token: kept, body: { hostAccessToken: ended } })
  expect([status, body.error.code]).toEqual([401, 'HOST_TOKEN_INVALID'])
})
