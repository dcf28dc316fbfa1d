import type { components, operations } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { findRanking, type Period, type RankedText, type RankingReader } from '../../db/likes/ranking.ts'
import { unauthenticated } from '../accounts/problems.ts'
import type { UnverifiedCredential } from '../accounts/unverifiedCredential.ts'
import { freshness } from '../repositories/freshness.ts'
import { checkUnverified } from '../repositories/publicVisibility.ts'

type Query = Required<Omit<NonNullable<operations['getArticleRanking']['parameters']['query']>, 'lang'>>
type RankingPage = components['schemas']['RankingPage']

/** The database column for each period that the contract names. */
export const PERIOD_COLUMNS: Record<Query['period'], Period> = {
  all: 'all_time',
  monthly: 'monthly',
  weekly: 'weekly',
  daily: 'daily',
}

/** A page of the ranking. */
export async function readRanking(ctx: Context, credential: UnverifiedCredential, query: Query): Promise<RankingPage> {
  const { limit, offset } = query
  const { token } = credential
  let page = await readRankedTexts(ctx, query, token && { token: { ...token, is_checked: false } })
  if (page?.userId) credential.isKnownAs(page.userId)
  if (!page && token) {
    // Without an account, the reader sees what anonymous readers see.
    const viewer = await credential.identify()
    page = await readRankedTexts(ctx, query, viewer ? { token: { ...token, is_checked: true } } : null)
  }
  // The session ended after it was verified.
  if (!page) throw unauthenticated()
  const data = page.rows.map((row, i) => toRanked(row, offset + i + 1))
  return { data, pagination: { totalItems: page.total, limit, offset } }
}

/** The texts on a page of the ranking; undefined if the reader's token is not authenticated. */
export async function readRankedTexts(ctx: Context, query: Query, reader: RankingReader) {
  const find = () => findRanking(ctx.db, { ...query, period: PERIOD_COLUMNS[query.period] }, freshness(ctx), reader)
  await ctx.counting.catchUp(false)
  let page = await find()
  if (page?.isBehind) {
    await ctx.counting.catchUp(true)
    page = await find()
  }
  // In the background: a repository that turns out to be hidden is missing from the next response.
  if (page) checkUnverified(ctx, page.rows)
  return page
}

function toRanked(row: RankedText, rank: number): RankingPage['data'][number] {
  return {
    rank,
    articleId: row.article_id,
    languageCode: row.language,
    aiGeneratedTitle: row.title,
    lead: row.lead,
    repositoryFullName: `${row.owner}/${row.name}`,
    owner: row.owner,
    repo: row.name,
    prNumber: row.number,
    likeCount: row.likes,
    liked: row.is_liked,
  }
}
