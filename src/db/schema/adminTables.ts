import type { OptionalColumn } from './optionalColumn.ts'

/** A user's report of a mistake in a text. Only operators read it. */
export interface MistakesTable {
  id: string
  user_id: string
  article_id: string
  language: string
  description: string
  quote: string | null
  created_at: Date
  closed_at: OptionalColumn<Date>
}

/** What operators did with the admin command. Rows are never deleted. */
export interface AdminActsTable {
  id: string
  at: Date
  /** The operator who did it. */
  by: string
  act: string
  subject: string
  note: string | null
}
