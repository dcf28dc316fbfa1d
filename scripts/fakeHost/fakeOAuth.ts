import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export const CLIENT = { CODE_HOST_CLIENT_ID: 'pullpress-app', CODE_HOST_CLIENT_SECRET: 'app-secret-0123456789' }

interface Grant {
  login: string
  challenge: string
  redirectUri: string
}

/** The OAuth pages of a code host. The user at the browser approves, unless `denies` is set. */
export function fakeOAuth(newToken: (login: string) => string) {
  const grants = new Map<string, Grant>()
  const authorizeRequests: URLSearchParams[] = []
  const browser = { login: 'somebody', denies: false }

  function authorize(url: URL, request: IncomingMessage, response: ServerResponse): unknown {
    const query = url.searchParams
    authorizeRequests.push(query)
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('state', query.get('state') ?? '')
    back.searchParams.set('iss', `http://${request.headers.host}/login/oauth`)
    if (browser.denies) back.searchParams.set('error', 'access_denied')
    else {
      const code = randomBytes(8).toString('hex')
      const challenge = query.get('code_challenge') ?? ''
      grants.set(code, { login: browser.login, challenge, redirectUri: query.get('redirect_uri') ?? '' })
      back.searchParams.set('code', code)
    }
    return response.writeHead(302, { location: back.href }).end()
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const form = new URLSearchParams(await text(request))
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isGood =
      grant?.challenge === challenge &&
      grant.redirectUri === form.get('redirect_uri') &&
      form.get('client_id') === CLIENT.CODE_HOST_CLIENT_ID &&
      form.get('client_secret') === CLIENT.CODE_HOST_CLIENT_SECRET
    const body = isGood
      ? { access_token: newToken(grant.login), token_type: 'bearer', scope: '' }
      : { error: 'bad_verification_code' }
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  return {
    authorizeRequests,
    browser,
    answers(request: IncomingMessage, response: ServerResponse): boolean {
      const url = new URL(request.url ?? '/', 'http://host')
      if (url.pathname === '/login/oauth/authorize') authorize(url, request, response)
      else if (url.pathname === '/login/oauth/access_token') void exchange(request, response)
      else return false
      return true
    },
  }
}
