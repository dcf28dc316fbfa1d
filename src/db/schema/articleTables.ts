import type { Generated, Selectable } from 'kysely'
import type { components } from '../../../generated/api.ts'
import type { ErrorCode, ErrorReason } from '../../errors.ts'
import type { OptionalColumn } from './optionalColumn.ts'

export type JobStage = components['schemas']['ArticleJob']['stage']

/** One article per pull request. */
export interface ArticlesTable {
  id: string
  host_repo_id: number
  number: number
  created_at: Date
  updated_at: Date
}

/**
 * The current text of an article in a language. `private` means the same as in `PullRequestsTable`; `content` is the
 * JSON of the response without the fields that change without a new text.
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
  /** The text of the lead, for lists. */
  lead: OptionalColumn<string>
  content: string
  /** The diff lines that the text cites, as JSON. */
  excerpts: string | null
  /** The HTML of the text for web pages, as JSON. */
  markup: string | null
  /** The HTML for Atom entries. */
  feed_html: OptionalColumn<string>
  generated_at: Date
  forced_at: Date | null
}

/** Older versions of texts. */
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

/** A job that writes a text, for the session that requested it first. Only the newest `attempt` may update it. */
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
  /** The number of claims whose node stopped responding before it ended the job or put it back. */
  lost_claims: Generated<number>
  error_code: ErrorCode | null
  error_message: string | null
  error_reason: ErrorReason | null
  /** What exactly went wrong, for operators. */
  error_cause: OptionalColumn<string>
  retry_at: Date | null
  article_id: string | null
  /** The user who requested it first; null if the service did, or if the account is deleted. */
  user_id: OptionalColumn<string>
  /** The request that started it; null if the service or an operator did. */
  request_id: OptionalColumn<string>
  /** Whether the service started it by itself. */
  is_automatic: Generated<boolean>
  created_at: Date
  updated_at: Date
}

/** The number of articles a user started on a day. */
export interface ArticleQuotasTable {
  user_id: string
  day: string
  started: number
}

/** The model tokens used on a day, including those reserved for running calls. */
export interface ModelUsageTable {
  day: string
  tokens: number
  /** The share of the daily limit, in percent, that the operator was last warned of; 0 for none. */
  warned_percent: Generated<number>
}

/** What one attempt to write a text has spent on one model. Rows outlive their job, and are deleted after 400 days. */
export interface ModelSpendingTable {
  job_id: string
  day: string
  model: string
  host_repo_id: number
  /** The user who requested the text; null if the service did, or if the account is deleted. */
  user_id: string | null
  is_automatic: boolean
  /** Whether this model wrote the text in this attempt. */
  is_written: boolean
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  reasoning_tokens: number
  /** By the prices that were configured at the time; null if the model had none. */
  cost: number | null
}

/** A circuit breaker: open until `open_until` after several failures in a row, then half-open. */
export interface BreakersTable {
  name: string
  failures: number
  open_until: Date | null
  /** The id of the job that may try while the breaker is half-open. */
  trial: string | null
}

export type ArticleJobRow = Selectable<ArticleJobsTable>
export type ArticleTextRow = Selectable<ArticleTextsTable>
