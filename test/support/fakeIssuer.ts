import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { fakeAuthorization } from './fakeAuthorization.ts'

export const AUDIENCE = 'pullpress-test'

export type FakeIssuer = Awaited<ReturnType<typeof startFakeIssuer>>

/**
 * An OpenID Connect issuer over HTTP that records requests. With `honorsResource`, the audience of a token is the
 * resource that the client requested.
 */
export async function startFakeIssuer({ honorsResource = false } = {}) {
  const fetches: string[] = []
  const issued: string[] = []
  let keys = [await newKey('first'), await newKey('elliptic', 'ES256')]
  let isBroken = false
  const authorization = fakeAuthorization((sub, resource) =>
    token({ sub, jti: randomUUID(), ...(honorsResource && resource && { aud: resource }) }),
  )
  const server = createServer((request, response) => {
    fetches.push(request.url ?? '')
    if (isBroken) return response.writeHead(500).end()
    if (authorization.answers(request, response, url)) return
    const documents: Record<string, object> = {
      '/keys': { keys: keys.map(({ publicJwk }) => publicJwk) },
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys`, ...authorization.endpoints(url) },
    }
    const document = documents[request.url ?? '']
    return response
      .writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(document ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function token(claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}, key = keys[0] as Key) {
    const now = Math.floor(Date.now() / 1000)
    const payload = { iss: url, aud: AUDIENCE, iat: now, exp: now + 3600, ...claims }
    const signed = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT', ...header })
      .sign(key.privateKey)
    issued.push(signed)
    return signed
  }

  return {
    url,
    browser: authorization.browser,
    fetches,
    issued,
    key: (alg = 'RS256') => keys.find(({ publicJwk }) => publicJwk.alg === alg) as Key,
    env: { OIDC_ISSUER: url, OIDC_AUDIENCE: AUDIENCE, OIDC_JWKS_URL: `${url}/keys` },
    token,
    async rotate(): Promise<void> {
      keys = [await newKey(`key-${randomUUID()}`)]
    },
    add(key: Key): Key {
      keys.push(key)
      return key
    },
    break(): void {
      isBroken = true
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

type Key = Awaited<ReturnType<typeof newKey>>

export async function newKey(kid: string, alg = 'RS256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}
