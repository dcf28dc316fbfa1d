import type { CodeHost, HostUser } from '../../host/codeHost.ts'
import { HostUnavailable } from '../../host/errors.ts'
import { isApiToken } from '../../lib/apiToken.ts'
import { Secret } from '../../lib/secret.ts'
import type { Config } from '../../runtime/config/config.ts'

/** The identity behind a token, as its issuer verified it. */
export interface Identity {
  subject: string
  expiresAt: Date | null
  /** The code host's profile, if verifying returned it. */
  profile: HostUser | null
  /** The code-host user id that the issuer asserts, if any. */
  hostUserId: number | null
}

/** Verifies a token. `null` means that the issuer refused it; an error means that it could not be verified now. */
type Verify = (token: Secret) => Promise<Identity | null>

/** Verifies bearer tokens: those of the code host or those of an OpenID Connect issuer, as configured. */
export interface Bearer {
  issuer: string
  verify: Verify
  /**
   * Verifies a token that was valid before. The function is `null` if the issuer cannot revoke tokens before they
   * expire.
   */
  verifyAgain: Verify | null
  /**
   * The hash by which a revoked token is recognized: the same for every encoding of the token that passes verification.
   */
  revocationHash(token: Secret): Buffer
}

export const HOST_ISSUER = 'host'

function hostRevocationHash(token: Secret): Buffer {
  return token.sha256()
}

/** A signature can be encoded in several ways, the signed part cannot. */
export function jwtRevocationHash(token: Secret): Buffer {
  return new Secret(token.reveal().replace(/\.[^.]*$/, '')).sha256()
}

/** The revocation hash of a token, for programs that have only the configuration. */
export function revocationHashOf(token: Secret, { oidc }: Pick<Config, 'oidc'>): Buffer {
  return oidc ? jwtRevocationHash(token) : hostRevocationHash(token)
}

/** The bearer token is an access token of the code host, which verifies it. API tokens are never sent there. */
export function hostBearer(host: CodeHost): Bearer {
  const verify: Verify = async (token) => {
    if (isApiToken(token)) return null
    const profile = await host.tokenOwner({ token: token.reveal() })
    return profile && { subject: String(profile.id), expiresAt: null, profile, hostUserId: profile.id }
  }
  return {
    issuer: HOST_ISSUER,
    verify: (token) => verify(token).catch(forbiddenAsRefused),
    verifyAgain: verify,
    revocationHash: hostRevocationHash,
  }
}

/**
 * For a new token, 403 means refused: it belongs to no user, for example an installation token. For a token that was valid
 * before, 403 only says that the host has a problem.
 */
export function forbiddenAsRefused(error: unknown): null {
  if (error instanceof HostUnavailable && error.status === 403) return null
  throw error
}
