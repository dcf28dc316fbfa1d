import type { FakeComment, FakeFile, FakeIssue, FakePull, FakeRepository } from './fakeRepository.ts'
import { idOf, sha } from './ids.ts'

const LISTED_FILES = 3000
const WEB_URL = 'https://host.example.com'

export function renderRepository({ id, owner, name, private: hidden = false, description = null }: FakeRepository) {
  const names = { name, full_name: `${owner}/${name}`, owner: { login: owner, id: idOf(owner) } }
  return { id, ...names, private: hidden, description }
}

/** An issue, or a pull request in the shape of an issue. */
export function renderIssue({ owner, name, webUrl = WEB_URL }: FakeRepository, issue: FakeIssue, isPull: boolean) {
  const url = `${webUrl}/${owner}/${name}/${isPull ? 'pull' : 'issues'}/${issue.number}`
  return {
    number: issue.number,
    html_url: url,
    repository_url: `https://api.host.example.com/repos/${owner}/${name}`,
    title: issue.title ?? `Issue ${issue.number}`,
    user: userOf(issue.author === undefined ? 'author' : issue.author),
    body: issue.body ?? null,
    state: issue.state ?? 'open',
    labels: labelsOf(issue.labels),
    ...(isPull && { pull_request: { html_url: url } }),
  }
}

/** A pull request as the host lists it. */
export function summary(repository: FakeRepository, pull: FakePull) {
  const { owner, name, webUrl = WEB_URL } = repository
  return {
    number: pull.number,
    html_url: `${webUrl}/${owner}/${name}/pull/${pull.number}`,
    title: pull.title ?? `Pull request ${pull.number}`,
    user: userOf(pull.author === undefined ? 'author' : pull.author, pull.isBot),
    labels: labelsOf(pull.labels),
    milestone: pull.milestone ? { title: pull.milestone } : null,
    body: pull.body === undefined ? 'Why' : pull.body,
    state: pull.state ?? 'closed',
    draft: pull.draft ?? false,
    merged_at: pull.mergedAt ?? null,
    created_at: createdAt(pull),
    updated_at: pull.updatedAt ?? createdAt(pull),
    head: { sha: pull.head ?? sha(`head ${pull.number}`), repo: null },
    base: { sha: pull.base ?? sha('base'), ref: pull.baseBranch ?? 'main', repo: renderRepository(repository) },
    noise: pull.noise,
  }
}

export function whole(repository: FakeRepository, pull: FakePull) {
  const files = (pull.files ?? []).map(fileOf)
  return {
    ...summary(repository, pull),
    merged: Boolean(pull.mergedAt),
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: pull.changedFiles ?? files.length,
    commits: commitsOf(pull).length,
    comments: pull.comments?.length ?? 0,
    review_comments: pull.reviewComments?.length ?? 0,
  }
}

/** `null` if the host refuses to return it. */
export function diffOf({ diff, files = [] }: FakePull): string | null {
  if (diff !== undefined) return diff
  const sections = files.map(
    ({ filename, patch }) => `diff --git a/${filename} b/${filename}\nindex 1..2 100644\n${patch ? `${patch}\n` : ''}`,
  )
  return sections.join('')
}

/** The lists of a pull request, by their path on the host. */
export function listOf(pull: FakePull, path: string): object[] | undefined {
  switch (path) {
    case 'pulls/files':
      return (pull.files ?? []).slice(0, LISTED_FILES).map(fileOf)
    case 'pulls/commits':
      return commitsOf(pull).map(({ message, author, date }, i) => ({
        sha: sha(`${pull.number} ${i}`),
        commit: { message, author: { name: 'A name', date: date ?? createdAt(pull) } },
        author: userOf(author),
      }))
    case 'issues/comments':
      return (pull.comments ?? []).map(commentOf)
    case 'pulls/comments':
      return (pull.reviewComments ?? []).map(commentOf)
    case 'pulls/reviews':
      return (pull.reviews ?? []).map((review) => ({
        ...commentOf(review),
        state: review.state ?? 'COMMENTED',
        ...(review.state !== 'PENDING' && { submitted_at: review.at }),
      }))
    default:
      return undefined
  }
}

function fileOf(file: FakeFile) {
  return { status: 'modified', additions: 1, deletions: 1, sha: sha(file.filename), ...file }
}

function commentOf({ author, body, at, path, line, url }: FakeComment) {
  const html_url = url === undefined ? `${WEB_URL}/comments/${sha(`${author} ${at}`)}` : url
  return { user: userOf(author), body, created_at: at, html_url, ...(path && { path, line }) }
}

function labelsOf(labels: string[] = []) {
  return labels.map((name) => ({ name, color: 'ededed' }))
}

function commitsOf(pull: FakePull): NonNullable<FakePull['commits']> {
  return pull.commits ?? [{ message: 'A commit', author: 'author' }]
}

function createdAt(pull: FakePull): string {
  return pull.createdAt ?? '2026-01-01T00:00:00Z'
}

function userOf(login: string | null, isBot = false) {
  return login === null ? null : { login, type: isBot ? 'Bot' : 'User' }
}
