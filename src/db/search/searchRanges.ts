import { type Kysely, sql } from 'kysely'
import type { TtlCache } from '../../lib/ttlCache.ts'
import type { Schema } from '../schema/schema.ts'
import type { ListFilter, ListPage } from './articleLists.ts'

/** A range of time to search; null where it is open. */
export interface SearchRange {
  /** Included. */
  from: Date | null
  /** Not included. */
  to: Date | null
  /** No text in the range is newer than this. */
  end: Date
}

/** The newest texts: when the first and the last of them were written, and how many there are. */
export interface NewestTexts {
  first: Date
  last: Date
  count: number
}

/** The latest time of a `Date` in JavaScript, in milliseconds. */
const MAX_TIME = 8.64e15
/** A text may be this much newer than the current time of this node, or than the newest text that this node knows. */
const AHEAD_MS = 60_000
/** The first range holds this many texts: enough for a search for a common word, few enough to sort all of them. */
const FIRST_TEXTS = 4000
/** Each range reaches this many times further back than the one before it. */
const GROWTH = 8
const RANGES = 3

/**
 * Ranges of time that together cover all texts, the newest first. A common word is found often enough in the first
 * ranges, and a rare word in few texts of the last one, so a search never sorts many texts. A search in one repository
 * has only one range. The starts of the ranges need not be exact, so the newest texts are counted only if they are not
 * `known`.
 */
export async function searchRanges(
  db: Kysely<Schema>,
  known: TtlCache<NewestTexts>,
  { hostRepoIds }: ListFilter,
  { sort, after }: ListPage,
  now: Date,
): Promise<SearchRange[]> {
  // In order of date, texts of the previous pages need not be found again.
  const before = sort === 'newest' && after ? new Date(Math.min(after.at.getTime() + 1, MAX_TIME)) : null
  const newest = hostRepoIds === undefined ? await newestTexts(db, known, before) : undefined
  if (!newest || newest.count < FIRST_TEXTS) return [{ from: null, to: before, end: now }]
  const latest = new Date(Math.max(newest.last.getTime(), now.getTime()) + AHEAD_MS)
  const end = before && before < latest ? before : latest
  const span = end.getTime() - newest.first.getTime() + 1
  const starts = Array.from({ length: RANGES }, (_, i) => new Date(end.getTime() - span * GROWTH ** i))
  const ranges = starts.map((from, i) => ({ from, to: starts[i - 1] ?? before, end: starts[i - 1] ?? end }))
  return [...ranges, { from: null, to: starts.at(-1) ?? before, end }]
}

async function newestTexts(db: Kysely<Schema>, known: TtlCache<NewestTexts>, before: Date | null) {
  const key = String(before?.getTime())
  const last = known.get(key)
  if (last) return last
  const newest = await countNewest(db, before)
  if (newest) known.set(key, newest)
  return newest
}

async function countNewest(db: Kysely<Schema>, before: Date | null): Promise<NewestTexts | undefined> {
  const isBefore = before === null ? sql`` : sql`and created_at < ${before}::timestamptz`
  const { rows } = await sql<NewestTexts>`
    select min(created_at) as first, max(created_at) as last, count(*)::integer as count from (
      select created_at from article_cards where is_public ${isBefore}
      order by created_at desc limit ${sql.lit(FIRST_TEXTS)}
    ) newest`.execute(db)
  return rows[0]
}
