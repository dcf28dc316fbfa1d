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
  /** Pull requests merged after this time, by the code host's clock, count as new. Null before the first check. */
  merged_since: OptionalColumn<Date>
  /** The poller has read all pull requests in the list that were updated before this time, by the code host's clock. */
  covered_until: OptionalColumn<Date>
  /** The ETag of the list's first page for the service's token. */
  etag: OptionalColumn<string>
  /** The next page of an incomplete walk through the list of closed pull requests; null if no walk is incomplete. */
  walk_page: OptionalColumn<number>
  walk_until: OptionalColumn<Date>
  walk_etag: OptionalColumn<string>
  /** Whether the walk is repeated, because the list changed during the first one. */
  walk_is_second: Generated<boolean>
  checked_at: OptionalColumn<Date>
  /** When a webhook delivery last asked for a check. */
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
  /** Whether it was merged before watching began. */
  is_earlier: boolean
  status: 'found' | 'queued' | 'waiting' | 'writing' | 'written' | 'skipped' | 'failed'
  reason: OptionalColumn<MergeReason>
  score: OptionalColumn<number>
  /** The factors of the score, as JSON. */
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

/** The state of the poller. One node at a time runs it for all nodes. */
export interface PollersTable {
  name: string
  /** The poller makes no calls to the code host before this time, because it is down or limits our rate. */
  paused_until: Date | null
  failures: number
  synced_at: Date | null
  /** The hour in which `calls` were made to the code host. */
  hour: Date | null
  calls: number
}

export type WatchedRow = Selectable<WatchedRepositoriesTable>
export type MergeRow = Selectable<MergesTable>
