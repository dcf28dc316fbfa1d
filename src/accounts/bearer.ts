import type { CodeHost, HostUser } from '../host/codeHost.ts'
import { HostUnavailable } from '../host/errors.ts'
import type { Secret } from '../lib/secret.ts'

/** Whom a token stands for, as its issuer proved it. */
export interface Proof {
  subject: string
  expiresAt: Date | null
  /** The code host's profile, where verifying showed it. */
  profile: HostUser | null
  /** The code-host user the issuer itself vouches for, where it does. */
  hostUserId: number | null
}

/** `null` is a refusal; an error means that nobody could say. */
type Verify = (token: Secret) => Promise<Proof | null>

/** A way to verify bearer tokens. Exactly one is configured. */
export interface Bearer {
  issuer: string
  verify: Verify
  /** Verifies a token that was good before; `null` where its issuer cannot withdraw it before it expires. */
  verifyAgain: Verify | null
  /** What stays of a token that was ended: the same for every spelling of it that would verify. */
  revocationHash(token: Secret): Buffer
}

export const HOST_ISSUER = 'host'

/** The bearer token is an access token of the code host, and the code host says whose. */
export function hostBearer(host: CodeHost): Bearer {
  const ask: Verify = async (token) => {
    const profile = await host.tokenOwner({ token: token.reveal() })
    return profile && { subject: String(profile.id), expiresAt: null, profile, hostUserId: profile.id }
  }
  return {
    issuer: HOST_ISSUER,
    verify: (token) => ask(token).catch(refusedAtFirst),
    verifyAgain: ask,
    revocationHash: (token) => token.sha256(),
  }
}

/**
 * A host that forbids a token it has not seen before refuses it: such a token stands for no user, an installation's for
 * one. Of a token that was good, the same answer says only that the host is in some trouble.
 */
export function refusedAtFirst(error: unknown): null {
  if (error instanceof HostUnavailable && error.status === 403) return null
  throw error
}
