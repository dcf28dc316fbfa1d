import type { components, operations } from '../../generated/api.ts'
import { type Asker, identifiedKeysOf, keysOf } from '../accounts/asker.ts'
import type { Context } from '../context.ts'
import type { BearerKeys } from '../db/callers.ts'
import { findRanking, type Period, type RankingRow } from '../db/ranking.ts'
import { type JsonText, pageText } from '../json.ts'
import { proveAllSoon, publicSince } from '../repositories/publicProof.ts'
import { windowsAt } from './counting.ts'

type Query = Required<NonNullable<operations['getArticleRanking']['parameters']['query']>>
type RankingPage = components['schemas']['RankingPage']

const COLUMNS: Record<Query['period'], Period> = {
  all: 'all_time',
  monthly: 'monthly',
  weekly: 'weekly',
  daily: 'daily',
}

/** A page of the ranking; `isForAll` where it is the same for everyone. */
export async function readRanking(ctx: Context, asker: Asker, query: Query) {
  const counting = ctx.counting.catchUp(false)
  if (counting) await counting
  const swift = await findFor(ctx, query, asker.token && keysOf(ctx, asker.token))
  if (swift) return answer(ctx, asker, query, swift)
  const viewer = await asker.identify()
  const found = await findFor(ctx, query, viewer && asker.token ? identifiedKeysOf(ctx, asker.token) : null)
  if (!found) throw new Error('The ranking was not found for somebody who was identified.')
  return answer(ctx, asker, query, found)
}

async function findFor(ctx: Context, { period, ...query }: Query, keys: BearerKeys | null) {
  const asked = { publicSince: publicSince(ctx), dailySince: windowsAt(ctx.now()).daily_from, keys }
  const find = () => findRanking(ctx.db, { ...query, ...asked, period: COLUMNS[period] })
  const found = await find()
  if (!found?.behind) return found
  await ctx.counting.catchUp(true)
  return find()
}

function answer(ctx: Context, asker: Asker, { limit, offset }: Query, row: RankingRow & { user_id: string | null }) {
  if (row.user_id !== null) asker.isKnownAs(row.user_id)
  // Nobody waits for that: what turns out to be hidden is gone from the next answer.
  if (row.unproven) proveAllSoon(ctx, row.unproven)
  const page: JsonText<RankingPage> = pageText(row.rows, { totalItems: row.total, limit, offset })
  return { page, isForAll: asker.token === null }
}
