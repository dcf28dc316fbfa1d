import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { OidcConfig } from '../config.ts'
import { Problem } from '../errors.ts'
import type { Bearer } from './bearer.ts'

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const TYPES = [undefined, 'jwt', 'at+jwt', 'application/at+jwt']
const FETCH_MILLISECONDS = 5000
const REST_MILLISECONDS = 5000
const LONGEST_SUBJECT = 255

/** The bearer token is a JWT of the configured OpenID Connect issuer. */
export function jwtBearer(oidc: OidcConfig): Bearer {
  const keys = issuerKeys(oidc)
  return {
    issuer: oidc.issuer,
    rechecks: false,
    async verify(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token.reveal(), keys, {
          algorithms: ALGORITHMS,
          issuer: oidc.issuer,
          audience: oidc.audience,
          requiredClaims: ['exp', 'sub'],
        })
        if (!TYPES.includes(protectedHeader.typ?.toLowerCase())) return null
        const { sub, exp } = payload
        if (!sub || !exp || sub.length > LONGEST_SUBJECT) return null
        return {
          subject: sub,
          expiresAt: new Date(exp * 1000),
          profile: null,
          hostUserId: vouchedHostUserId(payload, oidc.hostUserIdClaim),
        }
      } catch (error) {
        if (isRefusal(error)) return null
        throw new Problem('SERVICE_UNAVAILABLE', 'The keys of the token issuer cannot be had.', { retryAfter: 5 })
      }
    },
  }
}

/** Everything that is wrong with the token itself; what remains is trouble with the key set. */
function isRefusal(error: unknown): boolean {
  const { JOSEError, JWKSInvalid, JWKSTimeout } = errors
  if (!(error instanceof JOSEError) || error.code === JOSEError.code) return false
  return !(error instanceof JWKSTimeout || error instanceof JWKSInvalid)
}

/** The issuer's keys, fetched when they are old or a key is unknown; both seldom enough that no token can force it. */
function issuerKeys({ issuer, jwksUrl }: OidcConfig): JWTVerifyGetKey {
  const fetchKeys = restingAfterFailure()
  let keys: Promise<JWTVerifyGetKey> | undefined
  return async (header, token) => {
    keys ??= (jwksUrl ? Promise.resolve(jwksUrl) : discoverKeys(issuer, fetchKeys))
      .then((url) => createRemoteJWKSet(url, { timeoutDuration: FETCH_MILLISECONDS, [customFetch]: fetchKeys }))
      .catch((error) => {
        keys = undefined
        throw error
      })
    return (await keys)(header, token)
  }
}

function restingAfterFailure(): typeof fetch {
  let restUntil = 0
  return async (input, init) => {
    if (Date.now() < restUntil) throw new Error('The issuer failed a moment ago.')
    restUntil = Date.now() + REST_MILLISECONDS
    const answer = await fetch(input, init)
    if (answer.status === 200) restUntil = 0
    return answer
  }
}

async function discoverKeys(issuer: string, fetchKeys: typeof fetch): Promise<URL> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await fetchKeys(url, { signal: AbortSignal.timeout(FETCH_MILLISECONDS), redirect: 'error' })
  const document = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown }
  if (document.issuer !== issuer) throw new Error('The discovery document speaks of another issuer.')
  return new URL(String(document.jwks_uri))
}

function vouchedHostUserId(payload: JWTPayload, pointer: string | undefined): number | null {
  if (pointer === undefined) return null
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const value = steps.reduce<unknown>(
    (at, step) => (at !== null && typeof at === 'object' && Object.hasOwn(at, step) ? at[step as never] : undefined),
    payload,
  )
  const id = typeof value === 'string' && /^[1-9]\d*$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : null
}
