/** A user's like of a text. The source of truth: all counts below derive from it. */
export interface LikesTable {
  user_id: string
  article_id: string
  language: string
  id: string
  liked_at: Date
}

/**
 * Likes added (1) and removed (-1) that are not in `like_counts` yet. Requests only insert rows, so concurrent likes of
 * one article do not wait for each other; one node at a time moves the rows into the counts. The likes of a text are
 * the sum of both tables, consistent in any snapshot.
 */
export interface LikeChangesTable {
  article_id: string
  language: string
  like_id: string
  change: 1 | -1
  liked_at: Date
}

/** The counted likes of a text, in total and per period; `ranked` if the text is public. */
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

/** The number of rows of each ranking, per language and for `all`. Triggers on `like_counts` maintain it. */
export interface RankingTotalsTable {
  language: string
  all_time: number
  monthly: number
  weekly: number
  daily: number
}

/** A single row with the start of each ranking period. The node that counts likes locks it. */
export interface RankingWindowsTable {
  id: 1
  monthly_from: Date
  weekly_from: Date
  daily_from: Date
}

/** Repositories whose visibility has changed, so that `ranked` must be updated. Triggers insert the rows. */
export interface RankingReviewsTable {
  id: number
  host_repo_id: number
}
