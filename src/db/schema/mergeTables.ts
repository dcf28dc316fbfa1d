import type { Generated, Selectable } from 'kysely'
import type { components } from '../../../generated/api.ts'
import type { ErrorCode, ErrorReason } from '../../errors.ts'
import type { OptionalColumn } from './optionalColumn.ts'

export type AutomaticArticles = components['schemas']['AutomaticArticles']
export type MergeReason = components['schemas']['MergeReason']

/** A repository whose merged pull requests the service looks for. */
export interface WatchedRepositoriesTable {
  host_repo_id: number
  started_at: Date
  /** Pull requests merged since then count as new. By the code host's clock; null before the first check. */
  merged_since: OptionalColumn<Date>
  /** The list of closed pull requests was read up to this update. By the code host's clock. */
  covered_until: OptionalColumn<Date>
  /** The service's ETag of the first page. */
  etag: OptionalColumn<string>
  /** The next page of a walk that is not complete; null if there is none. */
  walk_page: OptionalColumn<number>
  walk_until: OptionalColumn<Date>
  walk_etag: OptionalColumn<string>
  /** Whether the walk is repeated, because the list changed during the first one. */
  walk_is_second: Generated<boolean>
  checked_at: OptionalColumn<Date>
  /** The last time that a webhook delivery asked to look now. */
  hinted_at: OptionalColumn<Date>
  next_check_at: Date
  /** When the list last changed. */
  active_at: Date
  failures: Generated<number>
}

/**
 * A merged pull request of a watched repository. `found` waits for its score, `queued` for its turn, `waiting` for the
 * budget of another day; `writing` has a job.
 */
export interface MergesTable {
  host_repo_id: number
  number: number
  url: string
  title: string
  author: string
  author_is_bot: boolean
  merged_at: Date
  found_at: Date
  /** Merged before watching began. */
  is_earlier: boolean
  status: 'found' | 'queued' | 'waiting' | 'writing' | 'written' | 'skipped' | 'failed'
  reason: OptionalColumn<MergeReason>
  score: OptionalColumn<number>
  /** JSON. */
  factors: OptionalColumn<string>
  decided_at: OptionalColumn<Date>
  /** The day whose budget the article counts against. */
  started_on: OptionalColumn<string>
  job_id: OptionalColumn<string>
  attempts: Generated<number>
  error_code: OptionalColumn<ErrorCode>
  error_message: OptionalColumn<string>
  error_reason: OptionalColumn<ErrorReason>
  next_try_at: OptionalColumn<Date>
}

/** The state of the poller, which one node at a time runs for all. */
export interface PollersTable {
  name: string
  /** No calls to the code host before: it is down or limits our rate. */
  paused_until: Date | null
  failures: number
  synced_at: Date | null
  /** The calls to the code host within an hour. */
  hour: Date | null
  calls: number
}

export type WatchedRow = Selectable<WatchedRepositoriesTable>
export type MergeRow = Selectable<MergesTable>
