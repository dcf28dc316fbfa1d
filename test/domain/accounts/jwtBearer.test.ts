import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CompactSign, exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { AUDIENCE, newKey, startFakeIssuer } from '../../support/fakeIssuer.ts'
import { startService } from '../../support/service.ts'

const issuer = await startFakeIssuer()
const service = await startService({ issuer })
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await service.close()
  await issuer.close()
})

const seconds = () => Math.floor(Date.now() / 1000)
const me = (token: string) => service.call('getCurrentUser', { token })

async function signedUp(subject: string): Promise<string> {
  const token = await issuer.token({ sub: subject })
  const { status } = await service.call('signUp', { token, body: { hostAccessToken: service.host.token(subject) } })
  expect(status).toBe(201)
  return token
}

test('signs up with a JWT and a host token; issuer and subject identify the account', async () => {
  const token = await issuer.token({ sub: 'user|hanako' })
  const needed = await service.call('signUp', { token })
  expect([needed.status, needed.body.error.code]).toEqual([403, 'HOST_TOKEN_REQUIRED'])
  const created = await service.call('signUp', { token, body: { hostAccessToken: service.host.token('hanako') } })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ hostUsername: 'hanako', hostUserId: service.host.idOf('hanako') })
  const renewed = await issuer.token({ sub: 'user|hanako', jti: 'renewed' })
  expect((await me(renewed)).body.data.id).toBe(created.body.id)
  expect((await service.call('signUp', { token: renewed })).status).toBe(409)
})

test('ignores claims that users can edit', async () => {
  const token = await issuer.token({
    sub: 'user|mallory',
    user_metadata: { provider_id: String(service.host.idOf('hanako')), user_name: 'hanako' },
    firebase: { identities: { 'github.com': [String(service.host.idOf('hanako'))] } },
  })
  expect((await service.call('signUp', { token })).body.error.code).toBe('HOST_TOKEN_REQUIRED')
})

test('ends a session at the time in the exp claim of its JWT', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const token = await signedUp('short')
  const { body } = await service.call('listSessions', { token })
  expect(Date.parse(body.data[0].expiresAt)).toBeGreaterThan(Date.now() + 3500_000)
  vi.setSystemTime(Date.now() + 3601_000)
  expect((await me(token)).status).toBe(401)
})

test('rejects a logged-out JWT, but not another one of the same user', async () => {
  const token = await signedUp('leaver')
  expect((await service.call('logOut', { token })).status).toBe(200)
  expect((await me(token)).status).toBe(401)
  expect((await me(await issuer.token({ sub: 'leaver', jti: 'next' }))).status).toBe(200)
})

test('rejects every other encoding of a logged-out JWT', async () => {
  for (const alg of ['RS256', 'ES256'] as const) {
    const token = await issuer.token({ sub: `speller-${alg}`, jti: alg }, { alg }, issuer.key(alg))
    const hostAccessToken = service.host.token(`speller-${alg}`)
    expect((await service.call('signUp', { token, body: { hostAccessToken } })).status).toBe(201)
    expect((await service.call('logOut', { token })).status).toBe(200)
    const spellings = [
      token,
      `${token}=`,
      `${token}==`,
      withOtherPadding(token),
      ...(alg === 'ES256' ? [withMirroredSignature(token)] : []),
    ]
    for (const spelling of spellings) {
      issuer.issued.push(spelling)
      expect((await me(spelling)).status).toBe(401)
    }
  }
})

/** Flips a bit of the last character. Decoders ignore this bit, so the signature stays the same. */
function withOtherPadding(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) ?? 'A') ^ 1]
}

/** If (r, s) is a valid P-256 signature, so is (r, n − s). */
function withMirroredSignature(token: string): string {
  const [head, payload, signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const s = (order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)).toString(16).padStart(64, '0')
  return `${head}.${payload}.${Buffer.concat([bytes.subarray(0, 32), Buffer.from(s, 'hex')]).toString('base64url')}`
}

test('verifies a known JWT without fetching keys', async () => {
  const token = await signedUp('steady')
  const before = issuer.fetches.length
  for (let i = 0; i < 50; i++) expect((await me(token)).status).toBe(200)
  expect(issuer.fetches.length).toBe(before)
})

test('rejects forged tokens without fetching URLs that they name', async () => {
  await signedUp('victim')
  const lures: string[] = []
  const lure = createServer((request, response) => {
    lures.push(request.url ?? '')
    response.end('{}')
  })
  await new Promise<void>((resolve) => lure.listen(0, '127.0.0.1', resolve))
  const lureUrl = `http://127.0.0.1:${(lure.address() as AddressInfo).port}`

  const { kid, publicJwk, privateKey } = issuer.key()
  const attacker = { ...(await newKey('attacker')), kid }
  const claims = { sub: 'victim', iss: issuer.url, aud: AUDIENCE, exp: seconds() + 3600 }
  const spki = await exportSPKI(
    (await importJWK(publicJwk, 'RS256', { extractable: true })) as Parameters<typeof exportSPKI>[0],
  )
  const good = await issuer.token({ sub: 'victim', jti: 'good' })
  const [head, , signature] = good.split('.')
  const payload = Buffer.from(JSON.stringify({ ...claims, sub: 'somebody-else' })).toString('base64url')
  const sign = (header: object, key = privateKey, body: unknown = claims) =>
    new CompactSign(Buffer.from(JSON.stringify(body)))
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT', ...header })
      .sign(key, { crit: { bork: true } })

  const forged: Record<string, string> = {
    'alg none': new UnsecuredJWT(claims).encode(),
    'HS256 keyed with the public key as PEM': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(Buffer.from(spki)),
    'HS256 keyed with the public key as JWK': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(Buffer.from(JSON.stringify(publicJwk))),
    'unknown kid': await issuer.token({ sub: 'victim' }, { kid: 'unknown' }),
    'another key under a known kid': await issuer.token({ sub: 'victim' }, {}, attacker),
    'array payload': await sign({}, privateKey, [claims]),
    'text payload': await sign({}, privateKey, 'victim'),
    'unknown crit': await sign({ crit: ['bork'], bork: 1 }),
    'jku header': await sign({ jku: `${lureUrl}/jku` }, attacker.privateKey),
    'jwk header': await sign({ jwk: attacker.publicJwk }, attacker.privateKey),
    'x5u header': await sign({ x5u: `${lureUrl}/x5u` }, attacker.privateKey),
    'kid that is a URL': await sign({ kid: `${lureUrl}/kid` }, attacker.privateKey),
    'wrong issuer': await issuer.token({ sub: 'victim', iss: `${issuer.url}/` }),
    'wrong audience': await issuer.token({ sub: 'victim', aud: 'another-service' }),
    'wrong type': await issuer.token({ sub: 'victim' }, { typ: 'logout+jwt' }),
    'missing exp': await sign({}, privateKey, { ...claims, exp: undefined }),
    'past exp': await issuer.token({ sub: 'victim', exp: seconds() - 1 }),
    'exp that is a string': await sign({}, privateKey, { ...claims, exp: 'tomorrow' }),
    'future nbf': await issuer.token({ sub: 'victim', nbf: seconds() + 600 }),
    'exp out of range': await issuer.token({ sub: 'victim', exp: 1e15 }),
    'sub with control characters': await issuer.token({ sub: 'victim\0' }),
    'typ that is not a string': await sign({ typ: 7 }),
    'missing sub': await issuer.token({}),
    'empty sub': await issuer.token({ sub: '' }),
    'changed payload': `${head}.${payload}.${signature}`,
    'no signature': `${head}.${payload}.`,
    'code-host token': service.host.token('victim'),
    'not a JWT': 'a.b.c',
  }
  const fetchesBefore = issuer.fetches.length
  for (const [kind, token] of Object.entries(forged)) expect((await me(token)).status, kind).toBe(401)
  expect(new Set(issuer.fetches.slice(fetchesBefore))).toEqual(new Set(['/keys']))
  expect(lures).toEqual([])
  expect((await me(good)).status).toBe(200)
  lure.close()
})

test('accepts JWTs signed with a key that the issuer published right after the last fetch of its keys', async () => {
  const own = await startService({ issuer })
  const status = async (jti: string) =>
    (await own.call('getCurrentUser', { token: await issuer.token({ sub: 'rotating', jti }) })).status
  const before = issuer.fetches.length
  expect(await status('fetches the keys')).toBe(404)
  await issuer.rotate()
  expect(await Promise.all(['a', 'b', 'c'].map(status))).toEqual([404, 404, 404])
  expect(issuer.fetches.length - before).toBe(2)
  await own.close()
})

test('random key ids (kid) cause at most one fetch of the keys of the issuer in two seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const own = await startService({ issuer })
  const status = async (claims: object, header = {}) =>
    (await own.call('getCurrentUser', { token: await issuer.token({ sub: 'hammered', ...claims }, header) })).status
  const before = issuer.fetches.length
  expect(await status({})).toBe(404)
  for (const fetches of [1, 2]) {
    const random = Array.from({ length: 25 }, (_, i) => status({ jti: `${fetches}-${i}` }, { kid: `random-${i}` }))
    expect(new Set(await Promise.all(random))).toEqual(new Set([401]))
    expect(issuer.fetches.length - before).toBe(fetches)
    vi.setSystemTime(Date.now() + 2001)
  }
  await own.close()
})

test.each(['EdDSA', 'Ed25519'])('accepts a token signed with %s', async (alg) => {
  const key = issuer.add(await newKey(`edwards-${alg}`, alg))
  const own = await startService({ issuer })
  const token = await issuer.token({ sub: 'edwards' }, { alg, kid: key.kid }, key)
  expect((await own.call('getCurrentUser', { token })).status).toBe(404)
  await own.close()
})

test('random key ids (kid) do not cause repeated fetches from a failing issuer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const other = await startFakeIssuer()
  const own = await startService({ issuer: other })
  const ask = async (claims: object, header = {}) =>
    (await own.call('getCurrentUser', { token: await other.token({ sub: 'a', ...claims }, header) })).status
  expect(await ask({ jti: 'first' })).toBe(404)
  vi.setSystemTime(Date.now() + 31_000)
  other.break()
  const before = other.fetches.length
  for (let i = 0; i < 20; i++) {
    expect(await ask({ jti: `random-${i}` }, { kid: `random-${i}` })).toBe(503)
    expect(await ask({ jti: `good-${i}` })).toBe(404)
  }
  expect(other.fetches.length - before).toBe(1)
  await own.close()
  await other.close()
})

test('at sign-up, a trusted claim that names the host user replaces the host token; saved tokens must belong to that user', async () => {
  const own = await startService({
    issuer,
    env: { OIDC_HOST_USER_ID_CLAIM: '/host/ids/0', CODE_HOST_TOKEN: 'the-services-own' },
  })
  const claim = { host: { ids: [String(own.host.idOf('vera'))] } }
  const hostToken = own.host.token('vera')
  const operatorRefused = await own.call('signUp', { token: await issuer.token({ sub: 'vera', ...claim }) })
  expect(operatorRefused.status).toBe(502)
  own.ctx.config.codeHost.token = undefined
  const token = await issuer.token({ sub: 'vera', ...claim })
  const foreign = await own.call('signUp', { token, body: { hostAccessToken: own.host.token('stranger') } })
  expect([foreign.status, foreign.body.error]).toMatchObject([
    403,
    { code: 'FORBIDDEN', details: { reason: 'token_owner_mismatch' } },
  ])
  const created = await own.call('signUp', { token })
  expect(created.status).toBe(201)
  expect(created.body.hostUsername).toBe('vera')

  own.host.repository({ id: 5, owner: 'acme', name: 'shop' })
  const favorite = { token, body: { owner: 'acme', repo: 'shop' } }
  const needed = await own.call('registerFavorite', favorite)
  expect([needed.status, needed.body.error.code]).toEqual([403, 'HOST_TOKEN_REQUIRED'])
  expect((await own.call('saveHostToken', { token, body: { hostAccessToken: hostToken } })).status).toBe(200)
  expect((await own.call('registerFavorite', favorite)).status).toBe(201)
  expect(own.host.calls.at(-1)?.authorization).toBe(`Bearer ${hostToken}`)
  await own.close()
})

test('discovers the keys of the issuer; while the keys are unavailable, returns 503 without repeated fetches', async () => {
  const other = await startFakeIssuer()
  const own = await startService({ env: { OIDC_ISSUER: other.url, OIDC_AUDIENCE: AUDIENCE } })
  expect((await own.call('getCurrentUser', { token: await other.token({ sub: 'a' }) })).status).toBe(404)
  expect(other.fetches).toEqual(['/.well-known/openid-configuration', '/keys'])
  await own.close()

  other.break()
  const late = await startService({ env: { OIDC_ISSUER: other.url, OIDC_AUDIENCE: AUDIENCE } })
  const before = other.fetches.length
  for (let i = 0; i < 20; i++) {
    const token = await other.token({ sub: 'b', jti: `${i}` })
    expect((await late.call('getCurrentUser', { token })).status).toBe(503)
  }
  expect(other.fetches.length - before).toBe(1)
  await late.close()

  const confused = await startFakeIssuer()
  const env = { OIDC_ISSUER: `${confused.url}/`, OIDC_AUDIENCE: AUDIENCE }
  const mistaken = await startService({ env })
  for (let i = 0; i < 20; i++)
    expect((await mistaken.call('getCurrentUser', { token: `a.b.${i}` })).status).toBeGreaterThan(400)
  const token = await confused.token({ sub: 'c', iss: `${confused.url}/` })
  expect((await mistaken.call('getCurrentUser', { token })).status).toBe(503)
  expect(mistaken.logged.join('')).toContain('names another issuer')
  expect(confused.fetches.length).toBe(1)
  await mistaken.close()
  await confused.close()
  await other.close()
})
