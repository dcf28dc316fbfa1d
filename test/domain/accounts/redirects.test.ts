import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { CLIENT } from '../../../scripts/fakeHost/fakeOAuth.ts'
import { openBrowser } from '../../support/browser.ts'
import { AUDIENCE, startFakeIssuer } from '../../support/fakeIssuer.ts'
import { startService } from '../../support/service.ts'

/** Redirects every request to the issuer with 307, which keeps method and body. */
const redirector = createServer((request, response) =>
  response.writeHead(307, { location: `${issuer.url}${request.url}` }).end(),
).listen(0, '127.0.0.1')
await once(redirector, 'listening')
const redirectorUrl = `http://127.0.0.1:${(redirector.address() as AddressInfo).port}`
const issuer = await startFakeIssuer()
beforeEach(() => void issuer.fetches.splice(0))
afterAll(async () => {
  redirector.close()
  await issuer.close()
})

test.each([
  ['key set', { OIDC_ISSUER: issuer.url, OIDC_JWKS_URL: `${redirectorUrl}/keys` }],
  ['discovery document', { OIDC_ISSUER: redirectorUrl }],
])('does not follow a redirect of the %s', async (_, env) => {
  const service = await startService({ env: { ...env, OIDC_AUDIENCE: AUDIENCE } })
  const token = await issuer.token({ sub: 'someone', iss: env.OIDC_ISSUER })
  expect((await service.call('getCurrentUser', { token })).status).toBe(503)
  expect(issuer.fetches).toEqual([])
  await service.close()
})

test('does not send the code and the client secret to a redirect target of the token endpoint', async () => {
  const service = await startService({ env: CLIENT, hasPages: true })
  service.host.fail({
    path: /access_token$/,
    act: (_, response) => void response.writeHead(307, { location: `${issuer.url}/stolen` }).end(),
  })
  expect((await openBrowser(service.url).visit('/sign-in/host')).status).toBe(400)
  expect(issuer.fetches).toEqual([])
  await service.close()
})
