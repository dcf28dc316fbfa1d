import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

interface Grant {
  clientId: string
  challenge: string
  redirectUri: string
  resource: string | null
}

/** Registration of clients, sign-in and tokens of an OpenID Connect issuer. The user at the browser approves everything. */
export function fakeAuthorization(issueToken: (subject: string, resource: string | null) => Promise<string>) {
  const redirectUris = new Map<string, string[]>()
  const grants = new Map<string, Grant>()
  const browser = { subject: 'somebody' }

  async function register(request: IncomingMessage): Promise<object> {
    const metadata = JSON.parse(await text(request)) as { redirect_uris: string[] }
    const clientId = `client-${randomBytes(8).toString('hex')}`
    redirectUris.set(clientId, metadata.redirect_uris)
    return { ...metadata, client_id: clientId, token_endpoint_auth_method: 'none' }
  }

  function authorize({ searchParams: query }: URL, issuer: string): string {
    const [clientId, redirectUri] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? '']
    if (!redirectUris.get(clientId)?.includes(redirectUri) || query.get('code_challenge_method') !== 'S256')
      throw new Error('A client with its address and PKCE is expected.')
    const code = randomBytes(8).toString('hex')
    const challenge = query.get('code_challenge') ?? ''
    grants.set(code, { clientId, challenge, redirectUri, resource: query.get('resource') })
    const back = new URL(redirectUri)
    back.search = new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer }).toString()
    return back.href
  }

  async function exchange(request: IncomingMessage): Promise<object> {
    const form = new URLSearchParams(await text(request))
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const isGood =
      grant?.challenge === createHash('sha256').update(verifier).digest('base64url') &&
      grant.clientId === form.get('client_id') &&
      grant.redirectUri === form.get('redirect_uri') &&
      grant.resource === form.get('resource')
    if (!isGood) return { error: 'invalid_grant' }
    return { access_token: await issueToken(browser.subject, grant.resource), token_type: 'Bearer', expires_in: 3600 }
  }

  async function send(response: ServerResponse, answer: Promise<object>, good: number): Promise<unknown> {
    const body = await answer
    const status = 'error' in body ? 400 : good
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  return {
    browser,
    /** The members of the discovery document. */
    endpoints: (issuer: string) => ({
      registration_endpoint: `${issuer}/register`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    }),
    answers(request: IncomingMessage, response: ServerResponse, issuer: string): boolean {
      const url = new URL(request.url ?? '/', issuer)
      if (url.pathname === '/register') void send(response, register(request), 201)
      else if (url.pathname === '/authorize') response.writeHead(302, { location: authorize(url, issuer) }).end()
      else if (url.pathname === '/token') void send(response, exchange(request), 200)
      else return false
      return true
    },
  }
}
