import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { OidcConfig } from '../config/config.ts'
import { Problem } from '../errors.ts'
import { Secret } from '../lib/secret.ts'
import { singleFlight } from '../lib/singleFlight.ts'
import type { Bearer, Proof } from './bearer.ts'

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt']
const FETCH_MS = 5000
const REST_MS = 5000
/** OpenID Connect allows 255 characters of ASCII; control characters are nobody's name. */
const SUBJECT = /^[^\p{Cc}]{1,255}$/u

/** The bearer token is a JWT of the configured OpenID Connect issuer. */
export function jwtBearer(oidc: OidcConfig): Bearer {
  const keys = issuerKeys(oidc)
  return {
    issuer: oidc.issuer,
    verifyAgain: null,
    // A signature can be spelled in more ways than one, what it signs cannot.
    revocationHash: (token) => new Secret(token.reveal().replace(/\.[^.]*$/, '')).sha256(),
    async verify(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token.reveal(), keys, {
          algorithms: ALGORITHMS,
          issuer: oidc.issuer,
          audience: oidc.audience,
          requiredClaims: ['exp', 'sub'],
        })
        if (!TYPES.includes(String(protectedHeader.typ ?? 'jwt').toLowerCase())) return null
        return proofOf(payload, oidc.hostUserIdClaim)
      } catch (error) {
        if (isRefusal(error)) return null
        throw new Problem('SERVICE_UNAVAILABLE', 'The keys of the token issuer cannot be had.', {
          retryAfter: 5,
          cause: error,
        })
      }
    },
  }
}

function proofOf(payload: JWTPayload, hostUserIdClaim: string | undefined): Proof | null {
  const { sub } = payload
  const expiresAt = new Date((payload.exp ?? Number.NaN) * 1000)
  if (typeof sub !== 'string' || !SUBJECT.test(sub) || Number.isNaN(expiresAt.getTime())) return null
  return { subject: sub, expiresAt, profile: null, hostUserId: vouchedHostUserId(payload, hostUserIdClaim) }
}

/** Everything that is wrong with the token itself; what remains is trouble with the key set. */
function isRefusal(error: unknown): boolean {
  const { JOSEError, JWKSInvalid, JWKSTimeout } = errors
  if (!(error instanceof JOSEError) || error.code === JOSEError.code) return false
  return !(error instanceof JWKSTimeout || error instanceof JWKSInvalid)
}

/** The issuer's keys, fetched when they are old or a key is unknown; both seldom enough that no token can force it. */
function issuerKeys({ issuer, jwksUrl }: OidcConfig): JWTVerifyGetKey {
  let restUntil = 0
  const fetchKeys: typeof fetch = async (input, init) => {
    if (Date.now() < restUntil) throw new Error('The issuer failed a moment ago.')
    return fetch(input, init)
  }
  const oneDiscovery = singleFlight<JWTVerifyGetKey>()
  let keys: JWTVerifyGetKey | undefined
  return async (header, token) => {
    try {
      keys ??= await oneDiscovery('keys', async () =>
        createRemoteJWKSet(jwksUrl ?? (await discoverKeys(issuer, fetchKeys)), {
          timeoutDuration: FETCH_MS,
          [customFetch]: fetchKeys,
        }),
      )
      return await keys(header, token)
    } catch (error) {
      const rests = Date.now() < restUntil
      if (!isRefusal(error) && !rests) restUntil = Date.now() + REST_MS
      throw error
    }
  }
}

async function discoverKeys(issuer: string, fetchKeys: typeof fetch): Promise<URL> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await fetchKeys(url, { signal: AbortSignal.timeout(FETCH_MS), redirect: 'error' })
  const document = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown }
  if (document.issuer !== issuer) throw new Error(`The discovery document at ${url} speaks of another issuer.`)
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
