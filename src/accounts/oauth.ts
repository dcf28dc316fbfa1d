import * as oauth from 'oauth4webapi'
import type { OAuthConfig } from '../config/config.ts'
import type { Context } from '../context.ts'
import { HostUnavailable } from '../host/errors.ts'
import { Secret } from '../lib/secret.ts'
import { seal, unseal } from './seal.ts'

const OWNER = 'signing in'
const MINUTES = 10
const OAUTH_TIMEOUT_MS = 10_000
const UNANSWERED = 'The code host did not complete signing in.'
export const CALLBACK = '/sign-in/done'

interface Begun {
  state: string
  verifier: string
  /** Where the visitor came from and shall go on. */
  path: string
  until: number
}

interface Start {
  oauth: OAuthConfig
  webUrl: URL
  origin: string
  path: string
  /** Whether to ask for private repositories too, which is not done unless somebody wants it. */
  wantsPrivate: boolean
}

/** Where the browser goes to sign in with the code host, and what it keeps meanwhile, which nobody else can read. */
export async function begin(ctx: Context, { oauth: app, webUrl, origin, path, wantsPrivate }: Start) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const to = new URL(serverAt(webUrl).authorization_endpoint)
  to.search = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: `${origin}${CALLBACK}`,
    response_type: 'code',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(wantsPrivate && { scope: 'repo' }),
  }).toString()
  const begun: Begun = { state, verifier, path, until: ctx.now().getTime() + MINUTES * 60_000 }
  const { key_id, sealed } = seal(ctx.encryptionKeys, JSON.stringify(begun), OWNER)
  return { to: to.href, kept: `${key_id}.${sealed.toString('base64url')}` }
}

interface Return {
  signingIn: string | undefined
  query: Record<string, string>
  origin: string
}

/** The access token of somebody who is back, and where they shall go on; undefined where it is not as it was begun. */
export async function complete(ctx: Context, { signingIn, query, origin }: Return) {
  const { oauth: app, webUrl } = ctx.config.codeHost
  const begun = opened(ctx, signingIn)
  if (!app || !begun) return undefined
  const [server, client] = [serverAt(webUrl), { client_id: app.clientId }]
  try {
    const answer = oauth.validateAuthResponse(server, client, new URLSearchParams(query), begun.state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(app.clientSecret.reveal()),
      answer,
      `${origin}${CALLBACK}`,
      begun.verifier,
      {
        signal: AbortSignal.timeout(OAUTH_TIMEOUT_MS),
        [oauth.allowInsecureRequests]: webUrl.protocol === 'http:',
      },
    )
    if (response.status >= 500) throw new HostUnavailable(UNANSWERED, response.status)
    const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, response)
    return { token: new Secret(access_token), path: begun.path }
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error instanceof HostUnavailable ? error : new HostUnavailable(UNANSWERED, undefined, { cause: error })
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

function opened(ctx: Context, kept: string | undefined): Begun | undefined {
  const [key_id = '', bytes = ''] = kept?.split('.') ?? []
  const text = unseal(ctx.encryptionKeys, { key_id, sealed: Buffer.from(bytes, 'base64url') }, OWNER)
  const begun: Begun | undefined = text === undefined ? undefined : JSON.parse(text)
  return begun && begun.until > ctx.now().getTime() ? begun : undefined
}
