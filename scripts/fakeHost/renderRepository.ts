import type { FakeRepository } from './fakeRepository.ts'
import { idsOf } from './ids.ts'
import { API_URL, renderUser, WEB_URL } from './renderUser.ts'

/** For each field, the end of its URL, which follows the URL of the repository. */
const PARTS = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
}

export function apiUrlOf({ owner, name }: FakeRepository): string {
  return `${API_URL}/repos/${owner}/${name}`
}

export function webUrlOf({ owner, name, webUrl = WEB_URL }: FakeRepository): string {
  return `${webUrl}/${owner}/${name}`
}

export function renderRepository(repository: FakeRepository) {
  const { id, owner, name, private: hidden = false, description = null, stars = 0 } = repository
  const fullName = `${owner}/${name}`
  const url = apiUrlOf(repository)
  const html_url = webUrlOf(repository)
  const parts = Object.fromEntries(Object.entries(PARTS).map(([part, path]) => [part, url + path]))
  return {
    ...{ ...idsOf(fullName), id, name, full_name: fullName, owner: renderUser(owner), private: hidden, description },
    ...{
      url,
      html_url,
      ...parts,
      git_url: `git://host.example.com/${fullName}.git`,
      ssh_url: `git@host.example.com:${fullName}.git`,
    },
    ...{ clone_url: `${html_url}.git`, svn_url: html_url, mirror_url: null, homepage: null },
    ...{
      fork: false,
      archived: false,
      disabled: false,
      default_branch: 'main',
      language: null,
      license: null,
      size: 100,
    },
    ...{
      has_issues: true,
      has_projects: true,
      has_wiki: false,
      has_pages: false,
      has_discussions: false,
      has_downloads: true,
    },
    ...{ stargazers_count: stars, watchers_count: stars, watchers: stars, subscribers_count: 1, network_count: 0 },
    ...{ forks_count: 0, forks: 0, open_issues_count: 0, open_issues: 0, visibility: hidden ? 'private' : 'public' },
    pushed_at: '2026-01-01T00:00:00Z',
    created_at: '2025-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  }
}
