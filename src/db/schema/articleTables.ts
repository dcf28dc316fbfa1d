import type { Generated, Selectable } from 'kysely'
import type { components } from '../../../generated/api.ts'
import type { ErrorCode } from '../../errors.ts'

export type JobStage = components['schemas']['ArticleJob']['stage']

/** One article for each pull request. */
export interface ArticlesTable {
  id: string
  host_repo_id: number
  number: number
  created_at: Date
  updated_at: Date
}

/**
 * The current text of an article in a language. `private` as for a pull request; `content` is JSON as it is answered, but
 * for what changes without a new text.
 */
export interface ArticleTextsTable {
  article_id: string
  language: string
  version: number
  private: boolean
  head_sha: string
  kind: 'model' | 'outline'
  prompt_version: string
  translated_from: string | null
  title: string
  content: string
  /** JSON: the lines of the diff it cites. */
  excerpts: string | null
  /** JSON: what pages show of it, as HTML. */
  markup: string | null
  generated_at: Date
  forced_at: Date | null
}

/** Older texts. */
export type ArticleVersionsTable = Pick<
  ArticleTextsTable,
  | 'article_id'
  | 'language'
  | 'version'
  | 'private'
  | 'head_sha'
  | 'kind'
  | 'prompt_version'
  | 'content'
  | 'generated_at'
>

/** The writing of a text, for the session that asked first. Only the newest `attempt` may write. */
export interface ArticleJobsTable {
  id: string
  host_repo_id: number
  number: number
  head_sha: string
  language: string
  kind: 'model' | 'outline'
  prompt_version: string
  forced: boolean
  session_id: string | null
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  stage: JobStage
  progress: number
  attempt: number
  /** Claims whose node stopped responding before it ended the job or put it back. */
  lost_claims: Generated<number>
  error_code: ErrorCode | null
  error_message: string | null
  error_reason: string | null
  retry_at: Date | null
  article_id: string | null
  created_at: Date
  updated_at: Date
}

/** How many articles a user has had written on a day. */
export interface ArticleQuotasTable {
  user_id: string
  day: string
  started: number
}

/** How many tokens the model took on a day, those reserved for calls under way included. */
export interface ModelUsageTable {
  day: string
  tokens: number
}

/** What is not asked for anything until `open_until`, after so many failures in a row. */
export interface BreakersTable {
  name: string
  failures: number
  open_until: Date | null
  /** The job that may try meanwhile. */
  trial: string | null
}

export type ArticleJobRow = Selectable<ArticleJobsTable>
export type ArticleTextRow = Selectable<ArticleTextsTable>
