import type { CodeHost, HostUser } from '../host/codeHost.ts'
import type { Secret } from '../secret.ts'

/** Whom a token stands for, as its issuer proved it. */
export interface Proof {
  subject: string
  expiresAt: Date | null
  /** The code host's profile, where verifying showed it. */
  profile: HostUser | null
  /** The code-host user the issuer itself vouches for, where it does. */
  hostUserId: number | null
}

/** A way to verify bearer tokens. Exactly one is configured. */
export interface Bearer {
  issuer: string
  /** Whether a token can be withdrawn by its issuer before it expires, so that it must be verified anew. */
  rechecks: boolean
  /** `null` is a refusal; an error means that nobody could say. */
  verify(token: Secret): Promise<Proof | null>
}

export const HOST_ISSUER = 'host'

/** The bearer token is an access token of the code host, and the code host says whose. */
export function hostBearer(host: CodeHost): Bearer {
  return {
    issuer: HOST_ISSUER,
    rechecks: true,
    async verify(token) {
      const profile = await host.tokenOwner(token.reveal())
      return profile && { subject: String(profile.id), expiresAt: null, profile, hostUserId: profile.id }
    },
  }
}
