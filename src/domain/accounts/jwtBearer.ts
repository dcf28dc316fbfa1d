import { setTimeout as sleep } from 'node:timers/promises'
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { Problem } from '../../errors.ts'
import { singleFlight } from '../../lib/singleFlight.ts'
import type { OidcConfig } from '../../runtime/config/config.ts'
import { type Bearer, type Identity, jwtRevocationHash } from './bearer.ts'

const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
const ALGORITHMS = [...RSA, 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt']
const FETCH_TIMEOUT_MS = 5000
const RETRY_PAUSE_MS = 5000
/** The shortest time between two fetches of the issuer's keys. */
const LOOKUP_INTERVAL_MS = 2000
/** OpenID Connect allows 255 ASCII characters. Control characters are rejected. */
const SUBJECT = /^[^\p{Cc}]{1,255}$/u

/**
 * The bearer token is a JWT of the configured OpenID Connect issuer. MCP clients request tokens for the URL of `/mcp`,
 * and some issuers make this URL the audience. Without PUBLIC_URL that audience is not accepted, because a request
 * could name any URL.
 */
export function jwtBearer(oidc: OidcConfig, publicUrl: URL | undefined, now: () => Date): Bearer {
  const audience = [oidc.audience, ...(publicUrl ? [new URL('/mcp', publicUrl).href] : [])]
  const keys = issuerKeys(oidc)
  return {
    issuer: oidc.issuer,
    verifyAgain: null,
    revocationHash: jwtRevocationHash,
    async verify(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token.reveal(), keys, {
          algorithms: ALGORITHMS,
          issuer: oidc.issuer,
          audience,
          requiredClaims: ['exp', 'sub'],
          currentDate: now(),
        })
        if (!TYPES.includes(String(protectedHeader.typ ?? 'jwt').toLowerCase())) return null
        return identityOf(payload, oidc.hostUserIdClaim)
      } catch (error) {
        if (isRefusal(error)) return null
        throw new Problem('SERVICE_UNAVAILABLE', 'The keys of the token issuer are unavailable.', {
          retryAfter: 5,
          cause: error,
        })
      }
    },
  }
}

function identityOf(payload: JWTPayload, hostUserIdClaim: string | undefined): Identity | null {
  const { sub } = payload
  const expiresAt = new Date((payload.exp ?? Number.NaN) * 1000)
  if (typeof sub !== 'string' || !SUBJECT.test(sub) || Number.isNaN(expiresAt.getTime())) return null
  return { subject: sub, expiresAt, profile: null, hostUserId: hostUserIdOf(payload, hostUserIdClaim) }
}

/** Whether the token itself is invalid; all other errors concern the key set. */
function isRefusal(error: unknown): boolean {
  const { JOSEError, JWKSInvalid, JWKSTimeout } = errors
  if (!(error instanceof JOSEError) || error.code === JOSEError.code) return false
  return !(error instanceof JWKSTimeout || error instanceof JWKSInvalid)
}

/**
 * The issuer's keys, fetched when they are old or a key is unknown, but so rarely that tokens cannot flood the issuer. An
 * unknown key may have been published after the last fetch, so it is refused only after a later one.
 */
function issuerKeys({ issuer, jwksUrl }: OidcConfig): JWTVerifyGetKey {
  let retryAt = 0
  let fetches = 0
  const fetchKeys: typeof fetch = async (input, init) => {
    if (Date.now() < retryAt) throw new Error('The issuer failed less than 5 seconds ago.')
    fetches += 1
    return fetch(input, init)
  }
  const findKey = async (keys: JWTVerifyGetKey, ...signed: Parameters<JWTVerifyGetKey>) => {
    const before = fetches
    try {
      return await keys(...signed)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || fetches > before) throw error
      // Sleeps a little longer, because timers may fire early.
      await sleep(LOOKUP_INTERVAL_MS + 20)
      return keys(...signed)
    }
  }
  const oneDiscovery = singleFlight<JWTVerifyGetKey>()
  let keys: JWTVerifyGetKey | undefined
  return async (header, token) => {
    try {
      keys ??= await oneDiscovery('keys', async () =>
        createRemoteJWKSet(jwksUrl ?? (await discoverKeys(issuer, fetchKeys)), {
          timeoutDuration: FETCH_TIMEOUT_MS,
          cooldownDuration: LOOKUP_INTERVAL_MS,
          [customFetch]: fetchKeys,
        }),
      )
      return await findKey(keys, header, token)
    } catch (error) {
      const isPaused = Date.now() < retryAt
      if (!isRefusal(error) && !isPaused) retryAt = Date.now() + RETRY_PAUSE_MS
      throw error
    }
  }
}

/** Fetches the issuer's keys once, and returns how many there are. */
export async function countKeys({ issuer, jwksUrl }: OidcConfig): Promise<number> {
  const url = jwksUrl ?? (await discoverKeys(issuer, fetch))
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), redirect: 'error' })
  const { keys } = (await response.json()) as { keys?: unknown }
  if (!Array.isArray(keys) || keys.length === 0) throw new Error(`There are no keys at ${url}.`)
  return keys.length
}

async function discoverKeys(issuer: string, fetchKeys: typeof fetch): Promise<URL> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetchKeys(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), redirect: 'error' })
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown }
  if (document.issuer !== issuer) throw new Error(`The discovery document at ${url} names another issuer.`)
  return new URL(String(document.jwks_uri))
}

function hostUserIdOf(payload: JWTPayload, pointer: string | undefined): number | null {
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
