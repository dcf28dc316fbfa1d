import { type SampleFile, shaOf } from './sampleFile.ts'

export interface SampleRemark {
  author: string
  at: string
  body: string
}

/** A pull request of the sample host, in a form that is easy to write. */
export interface SamplePull {
  owner: string
  repo: string
  number: number
  title: string
  body: string | null
  author: string
  createdAt: string
  updatedAt: string
  /** Absent while it is open. */
  mergedAt?: string
  files: SampleFile[]
  commits: { message: string; author: string; at: string }[]
  comments?: SampleRemark[]
  reviewComments?: (SampleRemark & { path: string; line: number })[]
  reviews?: (SampleRemark & { state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' })[]
}

export function placeOf({ owner, repo, number }: SamplePull): string {
  return `${owner}/${repo}#${number}`
}

export function idOf(name: string): number {
  return Number.parseInt(shaOf(name).slice(0, 7), 16) + 1
}

export function headOf(pull: SamplePull): string {
  return commitId(pull, pull.commits.length - 1)
}

export function diffOf({ files }: SamplePull): string {
  return files.map(({ section }) => section).join('')
}

export function repositoryOf({ owner, repo }: SamplePull) {
  const name = `${owner}/${repo}`
  return { id: idOf(name), name: repo, full_name: name, private: false, owner: { login: owner, id: idOf(owner) } }
}

export function summaryOf(pull: SamplePull, hostUrl: string) {
  return {
    number: pull.number,
    html_url: `${hostUrl}/${pull.owner}/${pull.repo}/pull/${pull.number}`,
    title: pull.title,
    user: userOf(pull.author),
    body: pull.body,
    state: pull.mergedAt ? 'closed' : 'open',
    draft: false,
    merged_at: pull.mergedAt ?? null,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    head: { sha: headOf(pull) },
    base: { sha: shaOf(`base of ${placeOf(pull)}`), repo: repositoryOf(pull) },
  }
}

export function wholeOf(pull: SamplePull, hostUrl: string) {
  const { files, commits, comments = [], reviewComments = [] } = pull
  return {
    ...summaryOf(pull, hostUrl),
    merged: pull.mergedAt !== undefined,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
    commits: commits.length,
    comments: comments.length,
    review_comments: reviewComments.length,
  }
}

/** The lists of a pull request, by their path on the code host. */
export function partOf(pull: SamplePull, path: string): object[] | undefined {
  switch (path) {
    case 'pulls/files':
      return pull.files.map(({ section: _, ...file }) => file)
    case 'pulls/commits':
      return pull.commits.map(({ message, author, at }, i) => ({
        sha: commitId(pull, i),
        commit: { message, author: { name: author, date: at } },
        author: userOf(author),
      }))
    case 'issues/comments':
      return (pull.comments ?? []).map(remarkOf)
    case 'pulls/comments':
      return (pull.reviewComments ?? []).map(({ path, line, ...comment }) => ({ ...remarkOf(comment), path, line }))
    case 'pulls/reviews':
      return (pull.reviews ?? []).map(({ state, ...comment }) => ({
        ...remarkOf(comment),
        state,
        submitted_at: comment.at,
      }))
    default:
      return undefined
  }
}

function commitId(pull: SamplePull, index: number): string {
  return shaOf(`commit ${index} of ${placeOf(pull)}`)
}

function remarkOf({ author, body, at }: SampleRemark) {
  return { user: userOf(author), body, created_at: at }
}

function userOf(login: string) {
  return { login, id: idOf(login) }
}
