import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export const CLIENT = { CODE_HOST_CLIENT_ID: 'pullpress-app', CODE_HOST_CLIENT_SECRET: 'app-secret-0123456789' }
/** A GitHub App: its tokens have no scopes. */
export const APP_CLIENT = { ...CLIENT, CODE_HOST_CLIENT_ID: 'Iv23liPullpressApp0' }
export const ACCESS_TOKEN_SECONDS = 28_800
export const REFRESH_TOKEN_SECONDS = 15_897_600

interface Grant {
  login: string
  challenge: string
  redirectUri: string
}

/** An access token with the time when it expires, and when its refresh token does. */
interface Expiring {
  login: string
  access: string
  accessEnd: number
  refreshEnd: number
}

interface Tokens {
  create(login: string): string
  revoke(token: string): void
}

/**
 * The OAuth pages of a code host. The user at the browser approves, unless `denies` is set. With `expires`, access
 * tokens expire, and each refresh token works once: using it revokes the previous access token. As on GitHub, errors
 * have status 200. `lostAnswers` is the number of coming token requests that are served but whose responses get lost.
 */
export function fakeOAuth(tokens: Tokens) {
  const grants = new Map<string, Grant>()
  const expiring = new Map<string, Expiring>()
  const issued: string[] = []
  const authorizeRequests: URLSearchParams[] = []
  const browser = { login: 'somebody', denies: false }
  const settings = { expires: false, lostAnswers: 0 }
  const renewals = { granted: 0, refused: 0 }
  let clock = 0

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

  async function answerToken(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const form = new URLSearchParams(await text(request))
    const body = answerTo(form)
    if (settings.lostAnswers > 0) {
      settings.lostAnswers -= 1
      return request.destroy()
    }
    return response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
  }

  function answerTo(form: URLSearchParams): object {
    if (
      ![CLIENT, APP_CLIENT].some((client) => client.CODE_HOST_CLIENT_ID === form.get('client_id')) ||
      form.get('client_secret') !== CLIENT.CODE_HOST_CLIENT_SECRET
    )
      return refusal('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.')
    const grantType = form.get('grant_type')
    if (grantType === 'refresh_token') return renew(form.get('refresh_token') ?? '')
    if (grantType === 'authorization_code') return exchangeCode(form)
    return refusal('unsupported_grant_type', 'The grant type is not supported.')
  }

  function exchangeCode(form: URLSearchParams): object {
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return refusal('bad_verification_code', 'The code passed is incorrect or expired.')
    return issue(grant.login)
  }

  function issue(login: string): object {
    const access = tokens.create(login)
    const answer = { access_token: access, token_type: 'bearer', scope: '' }
    if (!settings.expires) return answer
    const refresh = `ghr_${randomBytes(20).toString('hex')}`
    issued.push(access, refresh)
    const [accessEnd, refreshEnd] = [ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS].map(
      (seconds) => clock + seconds * 1000,
    )
    expiring.set(refresh, { login, access, accessEnd: accessEnd ?? 0, refreshEnd: refreshEnd ?? 0 })
    return {
      ...answer,
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: refresh,
      refresh_token_expires_in: REFRESH_TOKEN_SECONDS,
    }
  }

  function renew(refresh: string): object {
    const former = expiring.get(refresh)
    expiring.delete(refresh)
    if (!former || former.refreshEnd <= clock) {
      renewals.refused += 1
      return refusal('bad_refresh_token', 'The refresh token passed is incorrect or expired.')
    }
    tokens.revoke(former.access)
    renewals.granted += 1
    return issue(former.login)
  }

  return {
    authorizeRequests,
    browser,
    settings,
    renewals,
    /** All access and refresh tokens issued with `expires`, even those that have ended. */
    issued,
    /** Advances the clock, and revokes the access tokens that have expired by then. */
    advance(milliseconds: number): void {
      clock += milliseconds
      for (const { access, accessEnd } of expiring.values()) if (accessEnd <= clock) tokens.revoke(access)
    },
    /** Removes the app, as a user can: ends the access and refresh tokens of the login. */
    removeApp(login: string): void {
      for (const [refresh, grant] of expiring)
        if (grant.login === login) {
          expiring.delete(refresh)
          tokens.revoke(grant.access)
        }
    },
    answers(request: IncomingMessage, response: ServerResponse): boolean {
      const url = new URL(request.url ?? '/', 'http://host')
      if (url.pathname === '/login/oauth/authorize') authorize(url, request, response)
      else if (url.pathname === '/login/oauth/access_token') void answerToken(request, response)
      else return false
      return true
    },
  }
}

function refusal(error: string, description: string): object {
  const error_uri =
    'https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors'
  return { error, error_description: description, error_uri }
}
