import { encoded, idsOf } from './ids.ts'

export const API_URL = 'https://api.host.example.com'
export const WEB_URL = 'https://host.example.com'

export interface Profile {
  name: string | null
  email: string | null
}

export function renderUser(login: string, isBot = false) {
  const name = encoded(login)
  const api = `${API_URL}/users/${name}`
  return {
    login,
    ...idsOf(login),
    avatar_url: `https://avatars.example.com/${name}`,
    gravatar_id: '',
    url: api,
    html_url: `${WEB_URL}/${name}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: isBot ? 'Bot' : 'User',
    user_view_type: 'public',
    site_admin: false,
  }
}

/** The author of something; null if the account was deleted. */
export function renderAuthor(login: string | null, isBot = false) {
  return login === null ? null : renderUser(login, isBot)
}

/** The profile of the user of a token, as `/user` returns it. */
export function renderProfile(login: string, profile: Profile = { name: null, email: null }) {
  return {
    ...renderUser(login),
    ...profile,
    company: null,
    blog: '',
    location: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: 1,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  }
}
