import type { components, operations } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import type { CredentialKeys } from '../../db/accounts/viewers.ts'
import { findRanking, findRankingRows, findRankingState, type Period, type RankingRow } from '../../db/likes/ranking.ts'
import { cursorAt } from '../../lib/cursor.ts'
import { pageText } from '../../lib/jsonText.ts'
import { unauthenticated } from '../accounts/problems.ts'
import type { Viewer } from '../accounts/session.ts'
import type { UnverifiedCredential } from '../accounts/unverifiedCredential.ts'
import { freshness } from '../repositories/freshness.ts'
import { checkAllPublic, checkUnverified } from '../repositories/publicVisibility.ts'

type Query = Required<Omit<NonNullable<operations['getArticleRanking']['parameters']['query']>, 'cursor'>>
type JsonQuery = Query & { articlePages: string }
type RankingPage = components['schemas']['RankingPage']

/** The database column for each period that the contract names. */
export const PERIOD_COLUMNS: Record<Query['period'], Period> = {
  all: 'all_time',
  monthly: 'monthly',
  weekly: 'weekly',
  daily: 'daily',
}

/** A page of the ranking as JSON. */
export async function readRanking(ctx: Context, credential: UnverifiedCredential, query: JsonQuery) {
  const counting = ctx.counting.catchUp(false)
  if (counting) await counting
  const [fast] = await find(ctx, query, credential.token && { ...credential.token, is_checked: false })
  if (fast && !fast.behind) return toResult(ctx, credential, query, fast)
  const viewer = await credential.identify()
  const row = await findCounted(
    ctx,
    query,
    viewer && credential.token ? { ...credential.token, is_checked: true } : null,
  )
  // The session ended after it was verified.
  if (!row) throw unauthenticated()
  return toResult(ctx, credential, query, row)
}

function find(ctx: Context, query: JsonQuery, keys: CredentialKeys | null) {
  return findRanking(ctx.db, PERIOD_COLUMNS[query.period], query, freshness(ctx), keys)
}

async function findCounted(ctx: Context, query: JsonQuery, keys: CredentialKeys | null) {
  const [row] = await find(ctx, query, keys)
  if (!row?.behind) return row
  await ctx.counting.catchUp(true)
  return (await find(ctx, query, keys))[0]
}

function toResult(
  ctx: Context,
  credential: UnverifiedCredential,
  { limit, offset }: Query,
  { items, total, user_id, unverified }: RankingRow,
) {
  if (user_id !== null) credential.isKnownAs(user_id)
  // In the background: a repository that turns out to be hidden is missing from the next response.
  if (unverified) checkAllPublic(ctx, unverified)
  const nextCursor = cursorAt(offset + limit, total > offset + limit)
  return { page: pageText<RankingPage>(items, { totalItems: total, limit, offset, nextCursor }), nextCursor }
}

/** A page of the ranking as rows, for a web page. */
export async function readRankingRows(ctx: Context, viewer: Viewer | undefined, query: Query) {
  const period = PERIOD_COLUMNS[query.period]
  await ctx.counting.catchUp(false)
  let state = await findRankingState(ctx.db, period, query, ctx.now())
  if (state.behind) {
    await ctx.counting.catchUp(true)
    state = await findRankingState(ctx.db, period, query, ctx.now())
  }
  const rows = await findRankingRows(ctx.db, period, query, freshness(ctx), viewer?.user.id ?? null)
  checkUnverified(ctx, rows)
  return { rows, total: state.total }
}
