import { type Expression, sql } from 'kysely'

export interface PageRequest {
  limit: number
  offset: number
}

/**
 * The part of a page's bounds that the statement contains as literals: with a parameter as limit, Postgres would plan
 * the statement again every time. Most requests are for the first page with the default limit, for which `isPlain`
 * holds.
 */
export interface PageShape {
  maxRows: 10 | 100
  /** Whether this is the first page, with `maxRows` as its limit. */
  isPlain: boolean
}

export function pageShape({ limit, offset }: PageRequest): PageShape {
  const maxRows = limit <= 10 ? 10 : 100
  return { maxRows, isPlain: limit === maxRows && offset === 0 }
}

/** The bounds of a page as SQL expressions. */
export interface Bounds {
  limit: Expression<number>
  offset: Expression<number>
  /**
   * The limit of the inner query. The outer query returns the first `limit` of its rows. As `maxRows` has only two
   * values, there are few plans.
   */
  limitClause: Expression<unknown>
}

export function boundsOf({ maxRows, isPlain }: PageShape, request: PageRequest): Bounds {
  const offset = isPlain ? sql.lit(0) : sql<number>`${request.offset}::integer`
  return {
    limit: isPlain ? sql.lit(maxRows) : sql<number>`${request.limit}::integer`,
    offset,
    limitClause: sql`limit ${sql.lit(maxRows)} offset ${offset}`,
  }
}
