import type { FakePull, FakeRepository } from './fakeRepository.ts'
import { idsOf, sha } from './ids.ts'
import { CHANGED_LINES, commitsOf, createdAt, headOf, updatedAt } from './pullDefaults.ts'
import { renderLabels, renderMilestone } from './renderIssue.ts'
import { apiUrlOf, renderRepository, webUrlOf } from './renderRepository.ts'
import { renderAuthor, renderUser } from './renderUser.ts'

/** A pull request as the host lists it. */
export function renderSummary(repository: FakeRepository, pull: FakePull) {
  const { number, state = 'closed', mergedAt = null } = pull
  const repositoryUrl = apiUrlOf(repository)
  return {
    ...idsOf(`${repositoryUrl}/pulls/${number}`),
    ...urlsOf(repository, pull),
    number,
    title: pull.title ?? `Pull request ${number}`,
    user: renderAuthor(pull.author === undefined ? 'author' : pull.author, pull.isBot),
    labels: renderLabels(repository, pull.labels),
    milestone: renderMilestone(repository, pull.milestone),
    assignee: null,
    body: pull.body === undefined ? 'Why' : pull.body,
    state,
    draft: pull.draft ?? false,
    locked: false,
    author_association: 'CONTRIBUTOR',
    auto_merge: null,
    merged_at: mergedAt,
    merge_commit_sha: mergedAt && sha(`merge ${number}`),
    created_at: createdAt(pull),
    updated_at: updatedAt(pull),
    closed_at: state === 'closed' ? (mergedAt ?? updatedAt(pull)) : null,
    head: renderBranch(repository, `branch-${number}`, headOf(pull)),
    base: renderBranch(repository, pull.baseBranch ?? 'main', pull.base ?? sha('base')),
    noise: pull.noise,
  }
}

export function renderPull(repository: FakeRepository, pull: FakePull) {
  const { files = [] } = pull
  const isMerged = Boolean(pull.mergedAt)
  return {
    ...renderSummary(repository, pull),
    merged: isMerged,
    merged_by: isMerged ? renderUser('author') : null,
    mergeable: null,
    mergeable_state: 'unknown',
    maintainer_can_modify: false,
    additions: files.reduce((sum, file) => sum + (file.additions ?? CHANGED_LINES), 0),
    deletions: files.reduce((sum, file) => sum + (file.deletions ?? CHANGED_LINES), 0),
    changed_files: pull.changedFiles ?? files.length,
    commits: commitsOf(pull).length,
    comments: pull.comments?.length ?? 0,
    review_comments: pull.reviewComments?.length ?? 0,
  }
}

/** The diff of a pull request; `null` if the host refuses to return it. */
export function diffOf({ diff, files = [] }: FakePull): string | null {
  if (diff !== undefined) return diff
  const sections = files.map(
    ({ filename, patch }) => `diff --git a/${filename} b/${filename}\nindex 1..2 100644\n${patch ? `${patch}\n` : ''}`,
  )
  return sections.join('')
}

function renderBranch(repository: FakeRepository, ref: string, commit: string) {
  const { owner } = repository
  return { label: `${owner}:${ref}`, ref, sha: commit, user: renderUser(owner), repo: renderRepository(repository) }
}

function urlsOf(repository: FakeRepository, pull: FakePull) {
  const repositoryUrl = apiUrlOf(repository)
  const url = `${repositoryUrl}/pulls/${pull.number}`
  const html_url = `${webUrlOf(repository)}/pull/${pull.number}`
  const issue_url = `${repositoryUrl}/issues/${pull.number}`
  const parts = {
    commits: `${url}/commits`,
    review_comments: `${url}/comments`,
    review_comment: `${repositoryUrl}/pulls/comments{/number}`,
    comments: `${issue_url}/comments`,
    statuses: `${repositoryUrl}/statuses/${headOf(pull)}`,
  }
  const all = { ...parts, self: url, html: html_url, issue: issue_url }
  return {
    ...{ url, html_url, issue_url, diff_url: `${html_url}.diff`, patch_url: `${html_url}.patch` },
    ...Object.fromEntries(Object.entries(parts).map(([part, href]) => [`${part}_url`, href])),
    _links: Object.fromEntries(Object.entries(all).map(([part, href]) => [part, { href }])),
  }
}
