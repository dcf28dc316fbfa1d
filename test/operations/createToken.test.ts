import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const owner = await service.signedUp('hanako')
const DAY = 24 * 60 * 60_000
const inTime = (milliseconds: number) => new Date(service.ctx.now().getTime() + milliseconds).toISOString()
const create = (body: object, token = owner) => service.call('createToken', { token, body })
const reading = { name: 'My CI', scopes: ['read'] }

test('returns a token of 256 random bits once, and stores only its hash', async () => {
  const [{ status, headers, body }, { body: other }] = [
    await create({ name: ' My assistant ', scopes: ['write', 'read'] }),
    await create(reading),
  ]
  expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
  expect(body.data).toMatchObject({ name: 'My assistant', scopes: ['read', 'write'] })
  const { token, createdAt, expiresAt } = body.data
  expect(token).toMatch(/^pp_[0-9a-f]{64}$/)
  expect(token).not.toBe(other.data.token)
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(90 * DAY)
  expect((await service.call('getCurrentUser', { token })).status).toBe(200)
  const row = await service.ctx.db.selectFrom('sessions').where('id', '=', body.data.id).selectAll().executeTakeFirst()
  expect(row).toMatchObject({ sealed: null, is_cookie: false, token_scopes: ['read', 'write'] })
  const { body: listed } = await service.call('listTokens', { token: owner })
  expect(JSON.stringify(listed)).not.toContain('pp_')
})

test.each([
  ['now', 0, 400],
  ['in a minute', 60_000, 201],
  ['in 365 days', 365 * DAY, 201],
  ['in 367 days', 367 * DAY, 400],
])('accepts an expiry at most a year ahead: %s', async (_, lifetime, status) => {
  const expiresAt = inTime(lifetime)
  const answer = await create({ ...reading, expiresAt })
  expect(answer.status).toBe(status)
  if (status === 400) expect(answer.body.error.details.issues).toMatchObject([{ in: 'body', path: '/expiresAt' }])
  else expect(answer.body.data.expiresAt).toBe(expiresAt)
})

test.each([
  ['no name', { scopes: ['read'] }],
  ['an empty name', { ...reading, name: '' }],
  ['a blank name', { ...reading, name: '  ' }],
  ['a name with a line break', { ...reading, name: 'a\nb' }],
  ['a long name', { ...reading, name: 'a'.repeat(101) }],
  ['no scopes', { ...reading, scopes: [] }],
  ['an unknown scope', { ...reading, scopes: ['admin'] }],
  ['a scope twice', { ...reading, scopes: ['read', 'read'] }],
  ['a date that is none', { ...reading, expiresAt: 'tomorrow' }],
  ['a leap second', { ...reading, expiresAt: '2026-12-31T23:59:60Z' }],
  ['another field', { ...reading, token: 'pp_mine' }],
])('refuses a request with %s', async (_, body) => {
  expect((await create(body)).status).toBe(400)
})

test('an account has at most 20 tokens, not counting those that have ended', async () => {
  const token = await service.signedUp('collector')
  const [first, expiring] = [
    await create(reading, token),
    await create({ ...reading, expiresAt: inTime(60_000) }, token),
  ]
  for (let i = 0; i < 17; i++) expect((await create(reading, token)).status).toBe(201)
  const attempts = await Promise.all([1, 2, 3].map(() => create(reading, token)))
  expect(attempts.map(({ status }) => status).sort()).toEqual([201, 403, 403])
  const { body } = await create(reading, token)
  expect([body.error.code, body.error.details]).toEqual(['FORBIDDEN', { reason: 'token_limit', limit: 20 }])
  service.advance(61_000)
  const expired = await service.call('getCurrentUser', { token: expiring.body.data.token })
  expect([expired.status, expired.body.message]).toEqual([401, 'This token has expired.'])
  await service.call('revokeToken', { token, params: { tokenId: first.body.data.id } })
  const again = [await create(reading, token), await create(reading, token), await create(reading, token)]
  expect(again.map(({ status }) => status)).toEqual([201, 201, 403])
  expect((await create(reading, await service.signedUp('another'))).status).toBe(201)
})
