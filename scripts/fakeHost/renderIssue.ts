import type { FakeIssue, FakeRepository } from './fakeRepository.ts'
import { encoded, idsOf } from './ids.ts'
import { apiUrlOf, webUrlOf } from './renderRepository.ts'
import { renderAuthor, renderUser } from './renderUser.ts'

const CREATED_AT = '2026-01-01T00:00:00Z'

/** An issue, or a pull request in the shape of an issue. */
export function renderIssue(repository: FakeRepository, issue: FakeIssue, isPull: boolean) {
  const { number, state = 'open' } = issue
  const url = `${apiUrlOf(repository)}/issues/${number}`
  const html_url = `${webUrlOf(repository)}/${isPull ? 'pull' : 'issues'}/${number}`
  const pullUrl = `${apiUrlOf(repository)}/pulls/${number}`
  return {
    ...idsOf(url),
    number,
    url,
    html_url,
    repository_url: apiUrlOf(repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    title: issue.title ?? `Issue ${number}`,
    user: renderAuthor(issue.author === undefined ? 'author' : issue.author),
    body: issue.body ?? null,
    state,
    labels: renderLabels(repository, issue.labels),
    milestone: null,
    assignee: null,
    locked: false,
    comments: 0,
    created_at: CREATED_AT,
    updated_at: CREATED_AT,
    closed_at: state === 'closed' ? CREATED_AT : null,
    ...(isPull && {
      pull_request: { url: pullUrl, html_url, diff_url: `${html_url}.diff`, patch_url: `${html_url}.patch` },
    }),
  }
}

export function renderLabels(repository: FakeRepository, labels: string[] = []) {
  return labels.map((name) => {
    const url = `${apiUrlOf(repository)}/labels/${encoded(name)}`
    return { ...idsOf(url), url, name, color: 'ededed', description: '', default: false }
  })
}

export function renderMilestone(repository: FakeRepository, title: string | null | undefined) {
  if (!title) return null
  const url = `${apiUrlOf(repository)}/milestones/1`
  return {
    ...idsOf(url),
    url,
    html_url: `${webUrlOf(repository)}/milestone/1`,
    labels_url: `${url}/labels`,
    number: 1,
    title,
    description: null,
    state: 'open',
    creator: renderUser('author'),
    open_issues: 0,
    closed_issues: 0,
    created_at: CREATED_AT,
    updated_at: CREATED_AT,
    closed_at: null,
    due_on: null,
  }
}
