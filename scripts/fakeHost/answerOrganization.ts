import { ABSENT, type FakeAnswer, refusal } from './answerRepository.ts'
import { idsOf } from './ids.ts'
import { API_URL, renderUser } from './renderUser.ts'

export interface FakeOrganization {
  name: string
  members: string[]
  /** Members who show that they are members. */
  publicMembers?: string[]
  /** Whether tokens may not read private memberships. */
  forbidsTokens?: boolean
}

const PUBLIC_MEMBER = /^\/orgs\/([^/]+)\/public_members\/([^/]+)$/
const OWN_MEMBERSHIP = /^\/user\/memberships\/orgs\/([^/]+)$/

/** The response about members of organizations; undefined for other paths. */
export function answerOrganization(
  organizations: FakeOrganization[],
  pathname: string,
  login: string | undefined,
): FakeAnswer | undefined {
  const named = (name: string) => organizations.find((found) => found.name.toLowerCase() === name.toLowerCase())
  const [, publicly, member = ''] = PUBLIC_MEMBER.exec(pathname) ?? []
  if (publicly) return { status: named(publicly)?.publicMembers?.includes(member) ? 204 : 404, body: '' }
  const [, own] = OWN_MEMBERSHIP.exec(pathname) ?? []
  if (!own) return undefined
  const organization = named(own)
  if (login === undefined) return refusal(401, 'Requires authentication')
  if (organization?.forbidsTokens) return refusal(403, 'You need at least read:org scope')
  if (!organization?.members.includes(login)) return ABSENT
  return { status: 200, body: renderMembership(organization, login) }
}

function renderMembership({ name }: FakeOrganization, login: string) {
  const url = `${API_URL}/orgs/${name}`
  const organization = {
    login: name,
    ...idsOf(name),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `https://avatars.example.com/${name}`,
    description: null,
  }
  return {
    url: `${url}/memberships/${login}`,
    state: 'active',
    role: 'member',
    organization_url: url,
    organization,
    user: renderUser(login),
  }
}
