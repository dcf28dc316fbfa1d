import { type Expression, sql } from 'kysely'

export interface PageRequest {
  limit: number
  offset: number
}

/**
 * What of a page's bounds is written into its statement: a limit that is a parameter has it planned anew every time, and
 * most people want the first page as it comes.
 */
export interface PageShape {
  most: 10 | 100
  /** The first, and as long as it can be. */
  isPlain: boolean
}

export function pageShape({ limit, offset }: PageRequest): PageShape {
  const most = limit <= 10 ? 10 : 100
  return { most, isPlain: limit === most && offset === 0 }
}

/** The bounds of a page, as they stand in a statement of this shape. */
export interface Bounds {
  limit: Expression<number>
  offset: Expression<number>
  /** The most a page of this shape can hold; of those, the first `limit` are wanted. */
  most: Expression<unknown>
}

export function boundsOf({ most, isPlain }: PageShape, asked: PageRequest): Bounds {
  const offset = isPlain ? sql.lit(0) : sql<number>`${asked.offset}::integer`
  return {
    limit: isPlain ? sql.lit(most) : sql<number>`${asked.limit}::integer`,
    offset,
    most: sql`limit ${sql.lit(most)} offset ${offset}`,
  }
}
