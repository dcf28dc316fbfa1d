import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { afterAll, describe, expect, test } from 'vitest'
import { aPull, articlesOf } from '../../support/articles.ts'
import { startFakeIssuer } from '../../support/fakeIssuer.ts'
import { connectClient, post, toolCall, VERSIONS } from '../../support/mcp.ts'
import { startService } from '../../support/service.ts'

const PUBLIC_URL = 'https://press.example.com'
const PATHS = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']
const ASSISTANT = 'https://assistant.example.com'

const [issuer, byResource] = [await startFakeIssuer(), await startFakeIssuer({ honorsResource: true })]
const service = await startService({ issuer, env: { CORS_ORIGINS: ASSISTANT } })
const named = await startService({ issuer: byResource, env: { PUBLIC_URL } })
const plain = await startService()
afterAll(async () => {
  for (const started of [service, named, plain, issuer, byResource]) await started.close()
})
for (const [own, from] of [
  [service, issuer],
  [named, byResource],
] as const) {
  const token = await from.token({ sub: 'hanako' })
  const { status } = await own.call('signUp', { token, body: { hostAccessToken: own.host.token('hanako') } })
  expect(status).toBe(201)
}

const ask = (place = 'acme/absent#1') => toolCall('ask_for_article', { pullRequest: place })
const challengeOf = ({ headers }: { headers: Headers }) => headers.get('www-authenticate')

describe('the metadata of the protected resource', () => {
  test.each(PATHS)('names the URL of the MCP endpoint and the issuer: %s', async (path) => {
    const response = await fetch(service.url + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toEqual({
      resource: `${service.url}/mcp`,
      resource_name: 'Pullpress',
      authorization_servers: [issuer.url],
      bearer_methods_supported: ['header'],
    })
    expect(await (await fetch(named.url + path)).json()).toMatchObject({ resource: `${PUBLIC_URL}/mcp` })
  })

  test.each(PATHS)('does not exist without an issuer: %s', async (path) => {
    expect((await fetch(plain.url + path)).status).toBe(404)
  })

  test('may be read by pages of CORS_ORIGINS, and so may the challenge', async () => {
    const read = (origin: string) => fetch(service.url + PATHS[1], { headers: { origin } })
    expect((await read(ASSISTANT)).headers.get('access-control-allow-origin')).toBe(ASSISTANT)
    expect((await read('https://other.example.com')).headers.get('access-control-allow-origin')).toBeNull()
    const preflight = await fetch(service.url + PATHS[1], {
      method: 'OPTIONS',
      headers: {
        origin: ASSISTANT,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'mcp-protocol-version',
    ])
    const refused = await post(service, ask(), { origin: ASSISTANT })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  })
})

describe('the challenge', () => {
  test('is sent if a tool needs a user and the request has no token', async () => {
    const refused = await post(service, ask())
    expect([refused.status, challengeOf(refused)]).toEqual([
      401,
      `Bearer realm="pullpress", resource_metadata="${service.url}${PATHS[1]}"`,
    ])
    expect(refused.body).toMatchObject({ id: 1, error: { data: { code: 'UNAUTHENTICATED' } } })
    expect(challengeOf(await post(named, ask()))).toContain(`resource_metadata="${PUBLIC_URL}${PATHS[1]}"`)
  })

  test('says that a token was refused', async () => {
    const wrong = await issuer.token({ sub: 'hanako', aud: 'another-service' })
    for (const authorization of [`Bearer ${wrong}`, 'Basic abc']) {
      const refused = await post(service, toolCall('search_articles', { query: 'x' }), { authorization })
      expect([refused.status, challengeOf(refused)]).toEqual([
        401,
        `Bearer realm="pullpress", error="invalid_token", resource_metadata="${service.url}${PATHS[1]}"`,
      ])
    }
  })

  test('is not sent for messages that need no user', async () => {
    for (const message of [
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      toolCall('search_articles', { query: 'x' }),
    ])
      expect((await post(service, message)).status).toBe(200)
  })

  test('is not sent without an issuer: the tool returns an error instead', async () => {
    const { call } = await connectClient(plain, '2025-06-18')
    const result = await call('ask_for_article', { pullRequest: 'acme/absent#1' })
    expect([result.isError, result.text]).toEqual([true, expect.stringContaining('requires a bearer token')])
    const refused = await post(plain, ask(), { authorization: 'Bearer unknown' })
    expect(challengeOf(refused)).toBe('Bearer realm="pullpress", error="invalid_token"')
  })

  test('names the metadata only in responses from /mcp', async () => {
    expect(challengeOf(await service.call('getCurrentUser'))).toBe('Bearer realm="pullpress"')
  })
})

test('accepts the URL of the MCP endpoint as the audience of a token only if PUBLIC_URL is set', async () => {
  const status = async (own: typeof service, from: typeof issuer, aud: string) =>
    (await own.call('getCurrentUser', { token: await from.token({ sub: 'hanako', aud }) })).status
  expect(await status(named, byResource, `${PUBLIC_URL}/mcp`)).toBe(200)
  expect(await status(named, byResource, `${PUBLIC_URL}/other`)).toBe(401)
  expect(await status(service, issuer, `${service.url}/mcp`)).toBe(401)
})

/** An OAuth client that keeps its state in `kept`; `kept.page` is the page where the user must sign in. */
function assistant() {
  const kept: { page?: URL; verifier: string; client?: object; tokens?: object; discovery?: object } = { verifier: '' }
  const provider = {
    redirectUrl: `${ASSISTANT}/callback`,
    clientMetadata: { client_name: 'Assistant', redirect_uris: [`${ASSISTANT}/callback`] },
    clientInformation: () => kept.client,
    saveClientInformation: (client: object) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: object) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (page: URL) => void Object.assign(kept, { page }),
    saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (discovery: object) => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery,
  }
  return { kept, provider: provider as unknown as OAuthClientProvider }
}

describe.each([
  { own: service, from: issuer, origin: service.url, who: 'an issuer with an audience of its own' },
  { own: named, from: byResource, origin: PUBLIC_URL, who: 'an issuer that honors the resource' },
])('with $who', ({ own, from, origin }) => {
  test.each(VERSIONS)('the official client signs in and repeats its call, with version %s', async (version) => {
    from.browser.subject = 'hanako'
    const place = aPull(own)
    const { kept, provider } = assistant()
    const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
      authProvider: provider,
      // Sends requests for PUBLIC_URL to the test service.
      fetch: (url, init) => fetch(String(url).replace(PUBLIC_URL, own.url), init),
    })
    const client = new Client(
      { name: 'assistant', version: '1.0.0' },
      version === '2026-07-28'
        ? { versionNegotiation: { mode: { pin: version } } }
        : { supportedProtocolVersions: [version] },
    )
    await client.connect(transport)
    expect((await client.listTools()).tools).toHaveLength(5)
    const call = () => client.callTool({ name: 'ask_for_article', arguments: { pullRequest: place } })
    await expect(call()).rejects.toThrow(UnauthorizedError)
    expect(kept.page?.searchParams.get('resource')).toBe(`${origin}/mcp`)

    const signedIn = await fetch(kept.page ?? '', { redirect: 'manual' })
    await transport.finishAuth(new URL(signedIn.headers.get('location') ?? '').searchParams)
    const result = await call()
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy()
    expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(/^Article /) }])
    expect((await articlesOf(own).get(place)).status).toBe(200)
    await client.close()
  })
})
