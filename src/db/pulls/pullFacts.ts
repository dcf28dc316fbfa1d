import { sql } from 'kysely'

/** Facts about a pull request for lists and articles, which do not read its document. */
export const pullFacts = {
  state: sql<'open' | 'closed' | null>`pull_requests.state`,
  mergedAt: sql<Date | null>`pull_requests.merged_at`,
  isMerged: sql<boolean>`pull_requests.merged_at is not null`,
  draft: sql<boolean | null>`pull_requests.draft`,
  labels: sql<string[]>`coalesce(pull_requests.labels, '[]')`,
  authorIsBot: sql<boolean | null>`pull_requests.author_is_bot`,
  additions: sql<number | null>`pull_requests.additions`,
  deletions: sql<number | null>`pull_requests.deletions`,
  changedFiles: sql<number | null>`pull_requests.changed_files`,
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
  // Never null for a pull request that has an article.
  sql<Date>`pull_requests.host_created_at`.as('host_created_at'),
] as const
