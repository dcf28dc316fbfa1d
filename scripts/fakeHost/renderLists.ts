import type { FakeComment, FakeFile, FakePull, FakeRepository } from './fakeRepository.ts'
import { encoded, idsOf, sha } from './ids.ts'
import { CHANGED_LINES, commitsOf, createdAt, headOf } from './pullDefaults.ts'
import { apiUrlOf, webUrlOf } from './renderRepository.ts'
import { renderAuthor, WEB_URL } from './renderUser.ts'

const LISTED_FILES = 3000

/** The lists of a pull request, by their path on the host. An item is rendered only if its page is asked for. */
export function listOf(repository: FakeRepository, pull: FakePull, path: string): (() => object)[] | undefined {
  switch (path) {
    case 'pulls/files':
      return (pull.files ?? []).slice(0, LISTED_FILES).map((file) => () => fileOf(repository, pull, file))
    case 'pulls/commits':
      return commitsOf(pull).map((_, index) => () => commitOf(repository, pull, index))
    case 'issues/comments':
      return (pull.comments ?? []).map((comment) => () => commentOf(repository, pull, comment))
    case 'pulls/comments':
      return (pull.reviewComments ?? []).map((comment) => () => reviewCommentOf(repository, pull, comment))
    case 'pulls/reviews':
      return (pull.reviews ?? []).map((review) => () => reviewOf(repository, pull, review))
    default:
      return undefined
  }
}

function fileOf(repository: FakeRepository, pull: FakePull, file: FakeFile) {
  const { filename, additions = CHANGED_LINES, deletions = CHANGED_LINES } = file
  const path = filename.split('/').map(encoded).join('/')
  return {
    sha: sha(filename),
    status: 'modified',
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${webUrlOf(repository)}/blob/${headOf(pull)}/${path}`,
    raw_url: `${webUrlOf(repository)}/raw/${headOf(pull)}/${path}`,
    contents_url: `${apiUrlOf(repository)}/contents/${path}?ref=${headOf(pull)}`,
    ...file,
  }
}

function commitOf(repository: FakeRepository, pull: FakePull, index: number) {
  const { message = '', author = null, date = createdAt(pull) } = commitsOf(pull)[index] ?? {}
  const id = sha(`${pull.number} ${index}`)
  const url = `${apiUrlOf(repository)}/commits/${id}`
  const signature = { name: 'A name', email: 'someone@example.com', date }
  const tree = { sha: sha(`tree ${id}`), url: `${apiUrlOf(repository)}/git/trees/${sha(`tree ${id}`)}` }
  return {
    sha: id,
    node_id: idsOf(url).node_id,
    url,
    html_url: `${webUrlOf(repository)}/commit/${id}`,
    comments_url: `${url}/comments`,
    commit: { url, message, author: signature, committer: signature, comment_count: 0, tree },
    author: renderAuthor(author),
    committer: renderAuthor(author),
    parents: [{ sha: sha('base'), url: `${apiUrlOf(repository)}/commits/${sha('base')}` }],
  }
}

/** The fields that comments of all kinds have. */
function textOf({ author, body, at, url }: FakeComment) {
  const name = sha(`${author} ${at}`)
  const html_url = url === undefined ? `${WEB_URL}/comments/${name}` : url
  return { ...idsOf(name), user: renderAuthor(author), body, html_url, author_association: 'NONE' }
}

function commentOf(repository: FakeRepository, { number }: FakePull, comment: FakeComment) {
  const text = textOf(comment)
  return {
    ...text,
    url: `${apiUrlOf(repository)}/issues/comments/${text.id}`,
    issue_url: `${apiUrlOf(repository)}/issues/${number}`,
    created_at: comment.at,
    updated_at: comment.at,
  }
}

function reviewCommentOf(repository: FakeRepository, pull: FakePull, comment: FakeComment) {
  const { at, path = 'README.md', line } = comment
  const text = textOf(comment)
  const url = `${apiUrlOf(repository)}/pulls/comments/${text.id}`
  return {
    ...text,
    ...linksOf(repository, pull, text.html_url, url),
    url,
    pull_request_review_id: text.id,
    diff_hunk: '@@ -1 +1 @@',
    path,
    ...(line !== undefined && { line }),
    commit_id: headOf(pull),
    original_commit_id: headOf(pull),
    created_at: at,
    updated_at: at,
  }
}

function reviewOf(repository: FakeRepository, pull: FakePull, review: FakeComment) {
  const { state = 'COMMENTED', at } = review
  const text = textOf(review)
  return {
    ...text,
    ...linksOf(repository, pull, text.html_url),
    state,
    commit_id: headOf(pull),
    ...(state !== 'PENDING' && { submitted_at: at }),
  }
}

function linksOf(repository: FakeRepository, { number }: FakePull, html: string | null, self?: string) {
  const pull_request_url = `${apiUrlOf(repository)}/pulls/${number}`
  const _links = {
    ...(self && { self: { href: self } }),
    html: { href: html },
    pull_request: { href: pull_request_url },
  }
  return { pull_request_url, _links }
}
