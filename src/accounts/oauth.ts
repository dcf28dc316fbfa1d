import * as oauth from 'oauth4webapi'
import type { OAuthConfig } from '../config/config.ts'
import type { Context } from '../context.ts'
import { HostUnavailable } from '../host/errors.ts'
import { Secret } from '../lib/secret.ts'
import { seal, unseal } from './seal.ts'

const SEAL_OWNER = 'signing in'
const MAX_MINUTES = 10
const OAUTH_TIMEOUT_MS = 10_000
const INCOMPLETE = 'The code host did not complete signing in.'
export const CALLBACK = '/sign-in/done'

interface SignInState {
  state: string
  verifier: string
  /** The page to return to. */
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

/** The code host's sign-in URL, and the encrypted state that the browser keeps in a cookie meanwhile. */
export async function begin(ctx: Context, { oauth: app, webUrl, origin, path, wantsPrivate }: Start) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const signInUrl = new URL(serverAt(webUrl).authorization_endpoint)
  signInUrl.search = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: `${origin}${CALLBACK}`,
    response_type: 'code',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(wantsPrivate && { scope: 'repo' }),
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

/** The access token and the page to return to; undefined if the code host refused or the state does not match. */
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
      {
        signal: AbortSignal.timeout(OAUTH_TIMEOUT_MS),
        [oauth.allowInsecureRequests]: webUrl.protocol === 'http:',
      },
    )
    if (response.status >= 500) throw new HostUnavailable(INCOMPLETE, response.status)
    const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, response)
    return { token: new Secret(access_token), path: started.path }
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error instanceof HostUnavailable ? error : new HostUnavailable(INCOMPLETE, undefined, { cause: error })
  }
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
