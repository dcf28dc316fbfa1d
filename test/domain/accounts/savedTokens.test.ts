import { randomBytes } from 'node:crypto'
import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../../scripts/fakeHost/fakeHost.ts'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { createTestDatabase } from '../../support/database.ts'
import { startFakeIssuer } from '../../support/fakeIssuer.ts'
import { type Service, startService } from '../../support/service.ts'

const issuer = await startFakeIssuer()
const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
host.repository({ id: 1, owner: 'acme', name: 'shop' })

const key = (letter: string) => Buffer.alloc(32, letter).toString('base64')
const node = (keys: string) => startService({ issuer, beside: { host, database }, env: { TOKEN_ENCRYPTION_KEY: keys } })

afterAll(async () => {
  await database.drop()
  await host.close()
  await issuer.close()
})

async function signedUp(service: Service, subject: string): Promise<string> {
  const token = await issuer.token({ sub: subject })
  const { status } = await service.call('signUp', { token, body: { hostAccessToken: host.token(subject) } })
  expect(status).toBe(201)
  return token
}

/** Calls the host with the saved token. */
const use = (service: Service, token: string) =>
  service.call('registerFavorite', { token, body: { owner: 'acme', repo: 'shop' } })

test('returns a clear error if a saved token was tampered with or swapped with that of another user', async () => {
  const service = await node(key('a'))
  const { db } = service.ctx
  const token = await signedUp(service, 'hanako')
  const other = await signedUp(service, 'taro')
  expect((await use(service, token)).status).toBe(201)
  const rows = await db.selectFrom('host_tokens').selectAll().orderBy('saved_at').execute()
  const [mine, theirs] = rows as [(typeof rows)[0], (typeof rows)[0]]

  const expectUnusable = async () => {
    const { status, body } = await use(service, token)
    expect([status, body.error.code]).toEqual([401, 'HOST_TOKEN_INVALID'])
    expect(body.message).toBe('The saved access token can no longer be read. Save it again.')
  }
  const replace = (sealed: Buffer, key_id = mine.key_id) =>
    db.updateTable('host_tokens').set({ sealed, key_id }).where('user_id', '=', mine.user_id).execute()
  const callsBefore = host.calls.length
  for (let at = 0; at < mine.sealed.length; at++) {
    const changed = Buffer.from(mine.sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    await replace(changed)
    await expectUnusable()
  }
  for (const broken of [Buffer.alloc(0), mine.sealed.subarray(0, 20), theirs.sealed]) {
    await replace(broken)
    await expectUnusable()
  }
  await replace(mine.sealed, 'unknown-key')
  await expectUnusable()
  expect(host.calls.length).toBe(callsBefore)
  await replace(mine.sealed)
  expect((await use(service, token)).status).toBe(200)
  expect((await use(service, other)).status).toBe(201)
  await service.close()
})

test('saved tokens stay readable at every step of a rotation of the encryption keys', async () => {
  const [old, fresh] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const before = await node(old)
  const token = await signedUp(before, 'rotator')
  await before.close()

  const prepared = await node(`${old},${fresh}`)
  expect((await use(prepared, token)).status).toBe(201)
  await prepared.close()

  const rotated = await node(`${fresh},${old}`)
  expect((await use(rotated, token)).status).toBe(200)
  await rotated.close()

  const after = await node(fresh)
  expect((await use(after, token)).status).toBe(200)
  await after.close()
})

test('if the host rejects a saved token, marks the token as invalid, also during a rotation of the encryption keys', async () => {
  const before = await node(key('d'))
  const token = await issuer.token({ sub: 'unlucky' })
  const hostToken = host.token('unlucky')
  await before.call('signUp', { token, body: { hostAccessToken: hostToken } })
  await before.close()
  host.revoke(hostToken)
  const rotated = await node(`${key('e')},${key('d')}`)
  expect((await use(rotated, token)).body.error.code).toBe('HOST_TOKEN_INVALID')
  const callsBefore = host.calls.length
  expect((await use(rotated, token)).body.error.code).toBe('HOST_TOKEN_INVALID')
  expect(host.calls.length).toBe(callsBefore)
  await rotated.close()
})

test('saving a token updates the profile', async () => {
  const service = await node(key('c'))
  const token = await signedUp(service, 'newname')
  host.rename('newname', { name: 'A New Name', email: null })
  await service.call('saveHostToken', {
    token,
    body: { hostAccessToken: host.token('newname', { name: 'A New Name', email: null }) },
  })
  expect((await service.call('getCurrentUser', { token })).body.data.hostDisplayName).toBe('A New Name')
  await service.close()
})

test('if the host rejects a saved token, marks the token as invalid and makes no calls until a new one is saved', async () => {
  const service = await node(key('b'))
  const token = await issuer.token({ sub: 'revoker' })
  const hostToken = host.token('revoker')
  await service.call('signUp', { token, body: { hostAccessToken: hostToken } })
  host.revoke(hostToken)
  const { status, body, headers } = await use(service, token)
  expect([status, body.error.code]).toEqual([401, 'HOST_TOKEN_INVALID'])
  expect(headers.get('www-authenticate')).toBe('Bearer realm="pullpress"')
  const callsBefore = host.calls.length
  expect((await use(service, token)).status).toBe(401)
  expect(host.calls.length).toBe(callsBefore)
  await service.call('saveHostToken', { token, body: { hostAccessToken: host.token('revoker') } })
  expect((await use(service, token)).status).toBe(201)
  await service.close()
})

test('visibility checks with a replaced token do not apply to the new token', async () => {
  const service = await node(key('e'))
  const token = await issuer.token({ sub: 'replacer' })
  const strong = host.token('replacer')
  await service.call('signUp', { token, body: { hostAccessToken: strong } })
  host.repository({
    id: 77,
    owner: 'acme',
    name: 'vault',
    private: true,
    members: ['replacer'],
    pulls: [{ number: 1 }],
  })
  const params = { owner: 'acme', repo: 'vault', number: '1' }
  expect((await service.call('ingestPullRequest', { token, params })).status).toBe(200)

  const weak = host.token('replacer')
  host.fail({
    path: /vault|repositories\/77/,
    times: 100,
    act: (request, response) =>
      request.headers.authorization === `Bearer ${weak}`
        ? faults.status(404)(request, response)
        : host.answer(request, response),
  })
  expect((await service.call('saveHostToken', { token, body: { hostAccessToken: weak } })).status).toBe(200)
  expect((await service.call('getPullRequest', { token, params })).status).toBe(404)
  expect((await service.call('saveHostToken', { token, body: { hostAccessToken: strong } })).status).toBe(200)
  expect((await service.call('getPullRequest', { token, params })).status).toBe(200)
  host.heal()
  await service.close()
})

test('tries a saved token again after five minutes even if the host asks to wait longer', async () => {
  const service = await node(key('a'))
  const token = await signedUp(service, 'patient')
  host.fail({ path: /^\/repos\//, times: 1, act: faults.status(429, { 'retry-after': '31536000' }) })
  expect((await use(service, token)).status).toBe(429)
  service.advance(4 * 60_000)
  expect((await use(service, token)).status).toBe(429)
  service.advance(61_000)
  expect((await use(service, token)).status).toBe(201)
  await service.close()
})
