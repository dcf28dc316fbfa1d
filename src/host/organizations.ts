import type { Octokit } from '@octokit/rest'
import { type HostCredential, requestOptions } from './credential.ts'
import type { Decode } from './decode.ts'
import { requireValid } from './fields.ts'
import { ABSENT_OR_FORBIDDEN, toResponseOrNull, toResponseOrStatus } from './responses.ts'

/** Whether a user is a member; `unknown` if the token may not see that. */
export type Membership = 'member' | 'not_member' | 'unknown'

export interface OrganizationCalls {
  isPublicMember(credential: HostCredential, organization: string, login: string): Promise<boolean>
  /** The membership of the token's owner, also if it is private. */
  ownMembership(credential: HostCredential, organization: string): Promise<Membership>
}

const FORBIDDEN = 403

export function organizationCalls(octokit: Octokit, decode: Decode): OrganizationCalls {
  return {
    async isPublicMember(credential, organization, login) {
      const parameters = { org: organization, username: login, ...requestOptions(credential) }
      const call = octokit.request('GET /orgs/{org}/public_members/{username}', parameters)
      return (await toResponseOrNull(call, ABSENT_OR_FORBIDDEN)) !== null
    },
    async ownMembership(credential, organization) {
      const parameters = { org: organization, ...requestOptions(credential) }
      const call = octokit.request('GET /user/memberships/orgs/{org}', parameters)
      const result = await toResponseOrStatus(call, ABSENT_OR_FORBIDDEN)
      if (typeof result === 'number') return result === FORBIDDEN ? 'unknown' : 'not_member'
      return (await decode('membership', result.bytes)).isActive ? 'member' : 'not_member'
    },
  }
}

/** An invitation that is not accepted yet is `pending`. */
export function toMembership({ state }: { state: string }): { isActive: boolean } {
  requireValid(state === 'active' || state === 'pending')
  return { isActive: state === 'active' }
}
