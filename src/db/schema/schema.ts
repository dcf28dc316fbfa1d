import type { ColumnType, Generated, Insertable, Selectable } from 'kysely'
import type { components } from '../../../generated/api.ts'
import type { AdminActsTable, MistakesTable } from './adminTables.ts'
import type {
  ArticleJobsTable,
  ArticleQuotasTable,
  ArticlesTable,
  ArticleTextsTable,
  ArticleVersionsTable,
  BreakersTable,
  ModelSpendingTable,
  ModelUsageTable,
} from './articleTables.ts'
import type {
  LikeChangesTable,
  LikeCountsTable,
  LikesTable,
  RankingReviewsTable,
  RankingTotalsTable,
  RankingWindowsTable,
} from './likeTables.ts'
import type { AutomaticArticles, MergesTable, PollersTable, WatchedRepositoriesTable } from './mergeTables.ts'
import type { OptionalColumn } from './optionalColumn.ts'
import type { EtagsTable, PullRequestListsTable, PullRequestsTable } from './pullTables.ts'
import type { ArticleCardsTable, ArticleSearchTable, SearchQueueTable } from './searchTables.ts'

export type TokenScope = components['schemas']['TokenScope']

/** All tables. The application sets times (to the millisecond) and ids (UUIDv7). */
export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  revoked_tokens: RevokedTokensTable
  refresh_tokens: RefreshTokensTable
  host_tokens: HostTokensTable
  repositories: RepositoriesTable
  repository_access: RepositoryAccessTable
  favorites: FavoritesTable
  feed_addresses: FeedAddressesTable
  pull_requests: PullRequestsTable
  pull_request_lists: PullRequestListsTable
  etags: EtagsTable
  leases: LeasesTable
  articles: ArticlesTable
  article_texts: ArticleTextsTable
  article_versions: ArticleVersionsTable
  article_jobs: ArticleJobsTable
  article_cards: ArticleCardsTable
  article_search: ArticleSearchTable
  search_queue: SearchQueueTable
  article_quotas: ArticleQuotasTable
  model_usage: ModelUsageTable
  model_spending: ModelSpendingTable
  breakers: BreakersTable
  likes: LikesTable
  like_changes: LikeChangesTable
  like_counts: LikeCountsTable
  ranking_totals: RankingTotalsTable
  ranking_windows: RankingWindowsTable
  ranking_reviews: RankingReviewsTable
  watched_repositories: WatchedRepositoriesTable
  merges: MergesTable
  pollers: PollersTable
  mistakes: MistakesTable
  admin_acts: AdminActsTable
}

/** An account belongs to one (issuer, subject): `host` and the host's user id, or an OpenID Connect issuer and its `sub`. */
export interface UsersTable {
  id: string
  issuer: string
  subject: string
  host_user_id: number
  host_username: string
  host_display_name: string | null
  email: string | null
  avatar_url: string | null
  language: string
  created_at: Date
  updated_at: Date
  /** The operator's act that blocked the account; null if it is not blocked. */
  blocked_by: OptionalColumn<string>
  /** When the membership that the account depends on was last checked; null if it depends on none. */
  membership_checked_at: OptionalColumn<Date>
  /** Whether the user was no member any more then. */
  membership_lost: Generated<boolean>
}

/**
 * A session, found by the SHA-256 of its token. Its account, found by (issuer, subject), may not exist yet. Until
 * `paused_until` the code host rate-limits the token and is not asked. A browser session has a token of our own and keeps
 * the host token that opened it, sealed. An API token has one session from its creation on.
 */
export interface SessionsTable {
  id: string
  token_hash: Buffer
  revocation_hash: Buffer
  issuer: string
  subject: string
  created_at: Date
  verified_at: Date
  check_after: Date | null
  expires_at: Date | null
  revoked_at: Date | null
  paused_until: Date | null
  is_cookie: Generated<boolean>
  key_id: OptionalColumn<string>
  sealed: OptionalColumn<Buffer>
  /** The revocation hash of the host token that opened this session. */
  opened_by: OptionalColumn<Buffer>
  /** When to check again that the host token which opened this session is still valid. */
  recheck_after: OptionalColumn<Date>
  /** The name and the scopes of an API token; null for all other sessions. */
  token_name: OptionalColumn<string>
  token_scopes: OptionalColumn<TokenScope[]>
}

/**
 * The refresh token of a browser session's host token, sealed. `access_expires_at`: when the host token expires; null if
 * the code host did not say. `refused_at`: when the code host refused to renew it, which ended the session.
 */
export interface RefreshTokensTable {
  session_id: string
  key_id: string | null
  sealed: Buffer | null
  access_expires_at: Date | null
  refused_at: Date | null
}

/** Revoked tokens. Only the hash is stored; it outlives the session and the account. */
export interface RevokedTokensTable {
  revocation_hash: Buffer
}

export interface HostTokensTable {
  user_id: string
  key_id: string
  sealed: Buffer
  saved_at: Date
  refused_at: Date | null
  paused_until: Date | null
}

/**
 * The last known state of a repository. `verified_at`: when the code host last confirmed this state, to a user or to
 * the service. `public_checked_at`: when the service itself last checked that the repository is public. `doubted`: the
 * code host has not answered that check for too long. `forbidden_at`: since when the code host forbids the repository
 * to the service's token; then the service also checks the repository without a token.
 */
export interface RepositoriesTable {
  host_repo_id: number
  owner: string
  name: string
  private: boolean
  verified_at: Date
  public_checked_at: ColumnType<Date | null, never, Date>
  doubted: Generated<boolean>
  forbidden_at: OptionalColumn<Date>
  description: OptionalColumn<string>
  /** When the newest article with a public text was first written. */
  newest_article_at: OptionalColumn<Date>
  /** The operator's act that hid the repository from everybody; null if it is not hidden. */
  hidden_by: OptionalColumn<string>
}

/**
 * The code host's last answer to a session's request for a repository, if it showed a private repository or denied any.
 */
export interface RepositoryAccessTable {
  session_id: string
  host_repo_id: number
  allowed: boolean
  asked_at: Date
}

/** The secret key in the URL of a user's own feed: the sealed key, and the hash that finds its row. */
export interface FeedAddressesTable {
  user_id: string
  key_hash: Buffer
  key_id: string
  sealed: Buffer
}

export interface FavoritesTable {
  id: string
  user_id: string
  host_repo_id: number
  registered_at: Date
  /** When the user last marked the favorite as seen; null if never. */
  seen_at: OptionalColumn<Date>
  /** For which merged pull requests the user wants articles without requesting them. */
  automatic_articles: Generated<AutomaticArticles>
  includes_bots: Generated<boolean>
}

/** A lock on work that one node does for all, until it is returned or expires. */
export interface LeasesTable {
  name: string
  holder: string
  until: Date
}

/** An account without its state, which `db/accounts/accountState.ts` reads. */
export type UserRow = Omit<Selectable<UsersTable>, 'blocked_by' | 'membership_checked_at' | 'membership_lost'>
export type NewSession = Insertable<SessionsTable>
export type HostTokenRow = Selectable<HostTokensTable>
export type RefreshTokenRow = Selectable<RefreshTokensTable>
