import type { ColumnType, Generated, Insertable, Selectable } from 'kysely'
import type {
  ArticleJobsTable,
  ArticleQuotasTable,
  ArticlesTable,
  ArticleTextsTable,
  ArticleVersionsTable,
  BreakersTable,
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

/** The tables as they are. Times are the application's, to the millisecond; ids are UUIDv7 made in the application. */
export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  revoked_tokens: RevokedTokensTable
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
  article_quotas: ArticleQuotasTable
  model_usage: ModelUsageTable
  breakers: BreakersTable
  likes: LikesTable
  like_changes: LikeChangesTable
  like_counts: LikeCountsTable
  ranking_totals: RankingTotalsTable
  ranking_windows: RankingWindowsTable
  ranking_reviews: RankingReviewsTable
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
}

/**
 * What a token's SHA-256 answers for. It finds its account by (issuer, subject), which may not exist yet. Until
 * `rest_until` the code host will not answer the token, and is not asked. A browser's session has a token of our own, and
 * keeps the code host's that it was opened with, sealed.
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
  rest_until: Date | null
  is_cookie: Generated<boolean>
  key_id: Maybe<string>
  sealed: Maybe<Buffer>
  /** What ends the token that it was opened with. */
  opened_by: Maybe<Buffer>
  /** As `check_after`, of the token that it was opened with. */
  recheck_after: Maybe<Date>
}

type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>

/** Tokens ended for good. Only the hash: it outlives the session and the account. */
export interface RevokedTokensTable {
  revocation_hash: Buffer
}

export interface HostTokensTable {
  user_id: string
  key_id: string
  sealed: Buffer
  saved_at: Date
  refused_at: Date | null
  rest_until: Date | null
}

/**
 * What the code host last said of a repository. `proven_at` is when it last said it to anyone; `proof_asked_at`, when
 * the service last asked by itself whether it is still public. It is `doubted` when it would not tell for too long.
 */
export interface RepositoriesTable {
  host_repo_id: number
  owner: string
  name: string
  private: boolean
  proven_at: Date
  proof_asked_at: ColumnType<Date | null, never, Date>
  doubted: Generated<boolean>
}

/** Whether the code host last showed a private repository to a session's token, or denied it any. */
export interface RepositoryAccessTable {
  session_id: string
  host_repo_id: number
  allowed: boolean
  asked_at: Date
}

/** Where somebody's own feed is: the key in its address, sealed, and what it is found by. */
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
}

/**
 * A pull request in one state, in one row, so that nobody sees a mixture. `document` is the JSON that is answered, packed, but
 * for the repository's name, which may change; `version` is a digest of what the code host said of it as a whole;
 * `private`, whether the repository was when this was read: what was said in private stays there when it opens.
 */
export interface PullRequestsTable {
  host_repo_id: number
  number: number
  private: boolean
  version: string
  host_updated_at: Date
  document: Buffer
  /** The version that the following columns tell of: an older node writes a document without them. */
  described: string | null
  head_sha: string | null
  title: string | null
  author_login: string | null
  host_url: string | null
  host_created_at: Date | null
  /** When somebody who wanted an article last asked for its head commit. */
  head_asked_at: Date | null
}

/** A page of a repository's pull requests as the code host lists them; `private` as for a pull request. */
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

/** The code host's ETag of what a session saw as `version`. ETags differ by token, and a session has one token. */
export interface EtagsTable {
  session_id: string
  resource: string
  etag: string
  version: string
  seen_at: Date
}

/** Work that one node does for all until it is done, or until then. */
export interface LeasesTable {
  name: string
  holder: string
  until: Date
}

export type UserRow = Selectable<UsersTable>
export type NewSession = Insertable<SessionsTable>
export type HostTokenRow = Selectable<HostTokensTable>
