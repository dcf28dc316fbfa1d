import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('creates the account with the profile from the host, and returns it without the response envelope', async () => {
  const token = service.host.token('hanako', { name: '山田 花子', email: 'hanako@example.com' })
  const { status, body } = await service.call('signUp', { token })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    hostUserId: service.host.idOf('hanako'),
    hostUsername: 'hanako',
    hostDisplayName: '山田 花子',
    email: 'hanako@example.com',
    avatarUrl: 'https://avatars.example.com/hanako',
    language: 'ja',
  })
  expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  expect((await service.call('getCurrentUser', { token })).body.data).toEqual(body)
})

test('accepts a language, an empty object, an empty body and a profile without name and email', async () => {
  const english = await service.call('signUp', { token: service.host.token('emma'), body: { language: 'en' } })
  expect(english.body.language).toBe('en')
  const hidden = service.host.token('noname', { name: null, email: null })
  expect((await service.call('signUp', { token: hidden, body: {} })).body).toMatchObject({
    hostDisplayName: null,
    email: null,
    language: 'ja',
  })
  const headers = { authorization: `Bearer ${service.host.token('quiet')}`, 'content-type': 'application/json' }
  expect((await service.send('POST', '/auth/signup', { headers })).status).toBe(201)
})

test('returns 409 for any token of an existing account, and for a known token without calling the host', async () => {
  const token = await service.signedUp('twice')
  const before = service.host.calls.length
  expect((await service.call('signUp', { token })).body.error.code).toBe('USER_ALREADY_EXISTS')
  expect(service.host.calls.length).toBe(before)
  const another = await service.call('signUp', { token: service.host.token('twice') })
  expect([another.status, another.body.error.code]).toEqual([409, 'USER_ALREADY_EXISTS'])
})

test('creates one account from 100 concurrent requests', async () => {
  const token = service.host.token('crowd')
  const answers = await Promise.all(Array.from({ length: 100 }, () => service.call('signUp', { token })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(99)
})

test('creates one account from concurrent requests with different tokens of one user', async () => {
  const tokens = Array.from({ length: 30 }, () => service.host.token('hydra'))
  const answers = await Promise.all(tokens.map((token) => service.call('signUp', { token })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(29)
})

test.each([
  ['an unknown field', { lang: 'en' }, ''],
  ['a language of three letters', { language: 'eng' }, '/language'],
  ['a language in capitals', { language: 'EN' }, '/language'],
  ['a number for a language', { language: 5 }, '/language'],
  ['null for a language', { language: null }, '/language'],
  ['an array', [], ''],
  ['an empty token', { hostAccessToken: '' }, '/hostAccessToken'],
  ['a token with spaces', { hostAccessToken: 'a b' }, '/hostAccessToken'],
])('rejects %s', async (_, body, path) => {
  const { status, body: problem } = await service.call('signUp', { token: service.host.token('fussy'), body })
  expect([status, problem.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(problem.error.details.issues[0]).toMatchObject({ in: 'body', path })
})

test('rejects null as the body', async () => {
  const headers = { authorization: `Bearer ${service.host.token('void')}`, 'content-type': 'application/json' }
  const { status } = await service.send('POST', '/auth/signup', { headers, body: 'null' })
  expect(status).toBe(400)
})

test('saves a host token only if it belongs to the same code-host user', async () => {
  const token = service.host.token('owner')
  const somebodyElses = service.host.token('stranger')
  const forbidden = await service.call('signUp', { token, body: { hostAccessToken: somebodyElses } })
  expect([forbidden.status, forbidden.body.error]).toMatchObject([
    403,
    { code: 'FORBIDDEN', details: { reason: 'token_owner_mismatch' } },
  ])
  const refused = await service.call('signUp', { token, body: { hostAccessToken: 'nobodys-token' } })
  expect([refused.status, refused.body.error.code]).toEqual([401, 'HOST_TOKEN_INVALID'])
  expect((await service.call('getCurrentUser', { token })).body.error.code).toBe('USER_NOT_FOUND')
  const own = service.host.token('owner')
  expect((await service.call('signUp', { token, body: { hostAccessToken: own } })).status).toBe(201)
  const rows = await service.ctx.db.selectFrom('host_tokens').selectAll().execute()
  expect(rows).toHaveLength(1)
})
