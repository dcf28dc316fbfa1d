import { sql } from 'kysely'

/** Facts about a pull request for lists and articles, which do not read its document. */
export const pullFacts = {
  state: sql<'open' | 'closed'>`pull_requests.state`,
  mergedAt: sql<Date | null>`pull_requests.merged_at`,
  isMerged: sql<boolean>`pull_requests.merged_at is not null`,
  draft: sql<boolean>`pull_requests.draft`,
  labels: sql<string[]>`pull_requests.labels`,
  authorIsBot: sql<boolean>`pull_requests.author_is_bot`,
  additions: sql<number>`pull_requests.additions`,
  deletions: sql<number>`pull_requests.deletions`,
  changedFiles: sql<number>`pull_requests.changed_files`,
}

/** What lists of articles show of a pull request. */
export interface PullState {
  state: 'open' | 'closed'
  draft: boolean
  merged_at: Date | null
  host_created_at: Date
}

export const pullState = [
  pullFacts.state.as('state'),
  pullFacts.draft.as('draft'),
  pullFacts.mergedAt.as('merged_at'),
  sql<Date>`pull_requests.host_created_at`.as('host_created_at'),
] as const
