import * as oauth from 'oauth4webapi'
import type { Context } from '../../context.ts'
import { HostUnavailable } from '../../host/errors.ts'
import { Secret } from '../../lib/secret.ts'
import type { OAuthConfig } from '../../runtime/config/config.ts'
import { seal, unseal } from './seal.ts'

const SEAL_OWNER = 'signing in'
const MAX_MINUTES = 10
export const OAUTH_TIMEOUT_MS = 10_000
const INCOMPLETE = 'The code host did not complete signing in.'
const NOT_RENEWED = 'The code host did not renew a token.'
/**
 * Error codes after which a refresh token never works again: GitHub's and that of the OAuth standard. Other codes mean
 * that the code host or our configuration has a problem.
 */
const REFUSED_FOR_GOOD = new Set(['bad_refresh_token', 'invalid_grant'])
export const CALLBACK = '/sign-in/done'

/** An access token, and the refresh token that renews it. */
export interface HostTokens {
  access: Secret
  /** Null if the response of the code host did not contain it. */
  accessExpiresAt: Date | null
  refresh: Secret | null
}

interface SignInState {
  state: string
  verifier: string
  /** The path of the page that the user returns to after signing in. */
  path: string
  until: number
}

interface Start {
  oauth: OAuthConfig
  webUrl: URL
  origin: string
  path: string
  /** Whether to request access to private repositories, which is off by default. */
  wantsPrivate: boolean
}

/**
 * Whether the OAuth app is a GitHub App, which has permissions of its own and no scopes. Its client id begins with `Iv`
 * and a digit. If an id has another form, pages only mention the scope, which a GitHub App ignores.
 */
export function isGitHubApp({ clientId }: OAuthConfig): boolean {
  return /^Iv\d/.test(clientId)
}

/** The code host's sign-in URL, and the encrypted state that the browser keeps in a cookie during sign-in. */
export async function begin(ctx: Context, { oauth: app, webUrl, origin, path, wantsPrivate }: Start) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  // Most members of an organization are private.
  const scopes = [
    ...(wantsPrivate ? ['repo'] : []),
    ...(ctx.config.signUp.organizations.length > 0 ? ['read:org'] : []),
  ]
  const signInUrl = new URL(serverAt(webUrl).authorization_endpoint)
  signInUrl.search = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: `${origin}${CALLBACK}`,
    response_type: 'code',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(scopes.length > 0 && !isGitHubApp(app) && { scope: scopes.join(' ') }),
  }).toString()
  const started: SignInState = { state, verifier, path, until: ctx.now().getTime() + MAX_MINUTES * 60_000 }
  const { key_id, sealed } = seal(ctx.encryptionKeys, JSON.stringify(started), SEAL_OWNER)
  return { to: signInUrl.href, kept: `${key_id}.${sealed.toString('base64url')}` }
}

interface Return {
  signingIn: string | undefined
  query: Record<string, string>
  origin: string
}

/** The tokens and the page to return to; undefined if the code host refused or the state does not match. */
export async function complete(ctx: Context, { signingIn, query, origin }: Return) {
  const { oauth: app, webUrl } = ctx.config.codeHost
  const started = readState(ctx, signingIn)
  if (!app || !started) return undefined
  const [server, client] = [serverAt(webUrl), { client_id: app.clientId }]
  try {
    const parameters = oauth.validateAuthResponse(server, client, new URLSearchParams(query), started.state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(app.clientSecret.reveal()),
      parameters,
      `${origin}${CALLBACK}`,
      started.verifier,
      requestOptions(webUrl),
    )
    if (response.status >= 500) throw new HostUnavailable(INCOMPLETE, response.status)
    const body = await oauth.processAuthorizationCodeResponse(server, client, response)
    return { tokens: tokensIn(body, ctx.now()), path: started.path }
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw unavailable(INCOMPLETE, error)
  }
}

/** Uses a refresh token, which most code hosts accept only once. Throws if the code host may renew it later. */
export async function renewTokens(ctx: Context, refreshToken: Secret): Promise<HostTokens | 'refused'> {
  const { oauth: app, webUrl } = ctx.config.codeHost
  if (!app) throw new HostUnavailable(NOT_RENEWED)
  const [server, client] = [serverAt(webUrl), { client_id: app.clientId }]
  try {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(app.clientSecret.reveal()),
      refreshToken.reveal(),
      requestOptions(webUrl),
    )
    const code = await errorCodeIn(response)
    if (code !== undefined && REFUSED_FOR_GOOD.has(code)) return 'refused'
    if (code !== undefined) throw new HostUnavailable(`${NOT_RENEWED} (${code})`)
    return tokensIn(await oauth.processRefreshTokenResponse(server, client, response), ctx.now())
  } catch (error) {
    throw unavailable(NOT_RENEWED, error)
  }
}

/** The OAuth error code in a response. GitHub sends errors with status 200, other code hosts with 400 or 401. */
async function errorCodeIn(response: Response): Promise<string | undefined> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { error?: unknown } | null
  const code = body?.error
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : undefined
}

function tokensIn({ access_token, refresh_token, expires_in }: oauth.TokenEndpointResponse, now: Date): HostTokens {
  return {
    access: new Secret(access_token),
    accessExpiresAt: expires_in === undefined ? null : new Date(now.getTime() + expires_in * 1000),
    refresh: refresh_token === undefined ? null : new Secret(refresh_token),
  }
}

function requestOptions(webUrl: URL) {
  return {
    signal: AbortSignal.timeout(OAUTH_TIMEOUT_MS),
    [oauth.allowInsecureRequests]: webUrl.protocol === 'http:',
  }
}

/** Errors about a response contain the response with its tokens, so they are not kept as the cause, which is logged. */
function unavailable(message: string, error: unknown): HostUnavailable {
  if (error instanceof HostUnavailable) return error
  const isAboutResponse = isRefusal(error) || error instanceof oauth.UnsupportedOperationError
  return new HostUnavailable(message, undefined, isAboutResponse ? {} : { cause: error })
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof oauth.AuthorizationResponseError ||
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.OperationProcessingError
  )
}

function serverAt(webUrl: URL) {
  const base = webUrl.href.replace(/\/$/, '')
  return {
    issuer: `${base}/login/oauth`,
    authorization_endpoint: `${base}/login/oauth/authorize`,
    token_endpoint: `${base}/login/oauth/access_token`,
  }
}

function readState(ctx: Context, kept: string | undefined): SignInState | undefined {
  const [key_id = '', bytes = ''] = kept?.split('.') ?? []
  const text = unseal(ctx.encryptionKeys, { key_id, sealed: Buffer.from(bytes, 'base64url') }, SEAL_OWNER)
  const started: SignInState | undefined = text === undefined ? undefined : JSON.parse(text)
  return started && started.until > ctx.now().getTime() ? started : undefined
}
