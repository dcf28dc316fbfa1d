import { sql } from 'kysely'
import { FORMAT_PREFIX } from './documentFormat.ts'

const isCurrent = sql<boolean>`starts_with(pull_requests.version, ${sql.lit(FORMAT_PREFIX)})`

/**
 * Columns that nodes of the previous version do not know. They update a row and leave these as they were, so that they
 * count only if the pull request was stored in the current format.
 */
export const pullFacts = {
  state: ifCurrent<'open' | 'closed'>('state'),
  mergedAt: ifCurrent<Date>('merged_at'),
  isMerged: sql<boolean | null>`case when ${isCurrent} then pull_requests.merged_at is not null end`,
  draft: ifCurrent<boolean>('draft'),
  labels: sql<string[]>`coalesce(${ifCurrent('labels')}, '[]')`,
  authorIsBot: ifCurrent<boolean>('author_is_bot'),
  additions: ifCurrent<number>('additions'),
  deletions: ifCurrent<number>('deletions'),
  changedFiles: ifCurrent<number>('changed_files'),
}

function ifCurrent<T>(column: string) {
  return sql<T | null>`case when ${isCurrent} then ${sql.ref(`pull_requests.${column}`)} end`
}

/** What lists of articles show of a pull request. */
export interface PullState {
  state: 'open' | 'closed' | null
  draft: boolean | null
  merged_at: Date | null
  host_created_at: Date
}

export const pullState = [
  pullFacts.state.as('state'),
  pullFacts.draft.as('draft'),
  pullFacts.mergedAt.as('merged_at'),
  // A pull request that has an article has it.
  sql<Date>`pull_requests.host_created_at`.as('host_created_at'),
] as const
