import { sql } from 'kysely'

/** What of a page's bounds is written into its statement: a limit that is a parameter has it planned anew every time. */
export interface PageShape {
  most: 10 | 100
  isFirst: boolean
}

export interface Page {
  limit: number
  offset: number
}

export function pageShape({ limit, offset }: Page): PageShape {
  return { most: limit <= 10 ? 10 : 100, isFirst: offset === 0 }
}

/** The most a page of this shape can hold; of those, the first `limit` are wanted. */
export function bounds({ most, isFirst }: PageShape, { offset }: Page) {
  return sql`limit ${sql.lit(most)} offset ${isFirst ? sql.lit(0) : sql`${offset}::integer`}`
}
