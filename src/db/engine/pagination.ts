import { type Expression, sql } from 'kysely'

export interface PageRequest {
  limit: number
  offset: number
}

/**
 * The part of a page's bounds that is a literal in the statement: with a parameter as limit, Postgres would plan the
 * statement again every time. Most requests are for the first page with the default limit.
 */
export interface PageShape {
  maxRows: 10 | 100
  /** The first page, with `maxRows` as its limit. */
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
  /** For the inner query, of which the outer one returns the first `limit` rows. Few values of `maxRows` mean few plans. */
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
