import type { ColumnType } from 'kysely'
import type { OptionalColumn } from './optionalColumn.ts'

/**
 * One consistent state of a pull request. `document` is the compressed JSON of the response, without the repository's
 * name, which may change. `version` is the format and a digest of everything the code host returned. `private` tells
 * whether the repository was private when it was fetched: such content stays hidden when the repository becomes public.
 */
export interface PullRequestsTable {
  host_repo_id: number
  number: number
  private: boolean
  version: string
  host_updated_at: Date
  document: Buffer
  head_sha: string
  title: string
  author_login: string
  host_url: string
  host_created_at: Date
  state: 'open' | 'closed'
  merged_at: Date | null
  draft: boolean
  /** Written as JSON text, because the driver would write an array as an array of Postgres. */
  labels: ColumnType<string[], string, string>
  author_is_bot: boolean
  additions: number
  deletions: number
  changed_files: number
  /** When the head commit was last requested for an article. */
  head_asked_at: Date | null
  /** The operator's act that hid the pull request and its article from everybody; null if they are not hidden. */
  hidden_by: OptionalColumn<string>
}

/**
 * A page of the code host's list of a repository's pull requests. `private` means the same as in `PullRequestsTable`.
 */
export interface PullRequestListsTable {
  host_repo_id: number
  state: string
  page: number
  private: boolean
  version: string
  asked_at: Date
  has_more: boolean
  document: string
}

/** The code host's ETag of the `version` that a session saw. ETags differ by token, and a session has one token. */
export interface EtagsTable {
  session_id: string
  resource: string
  etag: string
  version: string
  seen_at: Date
}
