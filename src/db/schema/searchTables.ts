import type { Generated, GeneratedAlways } from 'kysely'
import type { components } from '../../../generated/api.ts'

type Schemas = components['schemas']

/**
 * The card of a text, which lists of articles are made from: the values they are sorted and filtered by, and facts that
 * only the text holds.
 */
export interface ArticleCardsTable {
  article_id: string
  language: string
  host_repo_id: number
  /** When the article was first written. */
  created_at: Date
  merged_at: Date | null
  /** Whether the text was written while the repository was public. */
  is_public: boolean
  /**
   * The position of the text among all texts of the article, from 1: originals before translations, then in order of
   * time.
   */
  place: number
  /** The counted likes of all texts of the article. */
  like_count: number
  compatibility: Schemas['Compatibility'] | null
  affected: string | null
  change_types: Schemas['ChangeTypeEnum'][]
  reading_minutes: number
}

/** A text in searches. All columns but `shown` are folded: see `search/fold.ts`. */
export interface ArticleSearchTable {
  article_id: string
  language: string
  host_repo_id: number
  created_at: Date
  place: number
  title: string
  /** The lead, headings and names. */
  head: string
  /** The rest of the text. */
  body: string
  /** Lead, headings and text as plain text, for snippets. */
  shown: string
  /** A `tsvector` without positions: see `search/lexemes.ts`. */
  lexemes: unknown
  /** Periods of `created_at` and the repository: see `db/search/periods.ts`. */
  keys: GeneratedAlways<number[]>
}

/** Articles whose cards must be made again. Triggers insert the rows. */
export interface SearchQueueTable {
  id: Generated<number>
  article_id: string
}
