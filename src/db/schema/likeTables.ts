/** That somebody likes a text. The one truth: all the counts below follow from it. */
export interface LikesTable {
  user_id: string
  article_id: string
  language: string
  id: string
  liked_at: Date
}

/**
 * Likes given (1) and gone (-1) that are not in `like_counts` yet. Only ever added to, so that nobody who likes an
 * article waits for another who does; one node at a time takes them out and counts them. The likes of a text are the
 * sum of both tables, in whatever snapshot they are read.
 */
export interface LikeChangesTable {
  article_id: string
  language: string
  like_id: string
  change: 1 | -1
  liked_at: Date
}

/** The likes of a text that were counted, of all time and of each period; `ranked` where anybody may see it. */
export interface LikeCountsTable {
  article_id: string
  language: string
  host_repo_id: number
  article_created_at: Date
  ranked: boolean
  all_time: number
  monthly: number
  weekly: number
  daily: number
}

/** How many rows each ranking has: of a language, and of `all`. Triggers on `like_counts` keep it. */
export interface RankingTotalsTable {
  language: string
  all_time: number
  monthly: number
  weekly: number
  daily: number
}

/** One row: since when likes are in each period's count. Who counts holds its lock. */
export interface RankingWindowsTable {
  id: 1
  monthly_from: Date
  weekly_from: Date
  daily_from: Date
}

/** Repositories of which more or less may be ranked than before. Triggers put them here. */
export interface RankingReviewsTable {
  id: number
  host_repo_id: number
}
