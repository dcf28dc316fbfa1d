import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { findMerges, findSettings, findWatching, type ListedMerge } from '../../db/merges/mergeLists.ts'
import type { Name } from '../../db/repositories/repositories.ts'
import { decodeCursor, encodeCursor, isInteger32, isTime } from '../../lib/cursor.ts'
import type { PageWithoutUrls } from '../../lib/withoutUrl.ts'
import { isWatching } from '../../runtime/config/isWatching.ts'
import type { Viewer } from '../accounts/session.ts'
import { readRepository } from '../lists/readRepository.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { explanationOf, factorText } from './explain.ts'
import { type Factor, NOTABLE_SCORE } from './score.ts'

type MergesPage = PageWithoutUrls<components['schemas']['MergesPage']>
type Merge = MergesPage['data'][number]

interface Request {
  limit: number
  cursor?: string | undefined
  status?: Merge['status'] | undefined
  wanted: boolean
}

/** A page of the merged pull requests of a repository that the viewer may see. */
export async function listMerges(
  ctx: Context,
  viewer: Viewer | undefined,
  name: Name,
  { limit, cursor, status, wanted }: Request,
): Promise<MergesPage> {
  const values = decodeCursor<[number, number]>(cursor, ([at, number]) => isTime(at) && isInteger32(number))
  const { host_repo_id: hostRepoId } = await readRepository(ctx, viewer, name)
  const settings = wanted && viewer ? await findSettings(ctx.db, viewer.user.id, hostRepoId) : undefined
  const rows = await findMerges(ctx.db, audienceOf(ctx, viewer), hostRepoId, {
    limit: limit + 1,
    after: values && { at: new Date(values[0]), number: values[1] },
    status,
    wanted: settings && {
      automaticArticles: settings.automatic_articles,
      includesBots: settings.includes_bots,
      notableScore: NOTABLE_SCORE,
    },
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    data: page.map(toMerge),
    pagination: { limit, nextCursor: last ? cursorAfter(last.merged_at, last.number) : null },
    watching: await watchingOf(ctx, hostRepoId),
  }
}

/** The cursor of the page that follows the given merged pull request. */
export function cursorAfter(mergedAt: Date, number: number): string {
  return encodeCursor([mergedAt.getTime(), number])
}

async function watchingOf(ctx: Context, hostRepoId: number): Promise<MergesPage['watching']> {
  const watched = isWatching(ctx) ? await findWatching(ctx.db, hostRepoId) : undefined
  if (!watched) return null
  return {
    since: watched.started_at.toISOString(),
    checkedAt: watched.checked_at?.toISOString() ?? null,
    nextCheckAt: watched.next_check_at.toISOString(),
  }
}

function toMerge(row: ListedMerge): Merge {
  const { owner, name, shown_status: status, score } = row
  const factors: Factor[] = row.factors ? JSON.parse(row.factors) : []
  const reason = status === 'skipped' ? row.reason : null
  const nextTryAt = status === 'failed' ? row.next_try_at : null
  return {
    prNumber: row.number,
    owner,
    repo: name,
    repositoryFullName: `${owner}/${name}`,
    hostPrUrl: row.url,
    title: row.title,
    authorLogin: row.author,
    authorIsBot: row.author_is_bot,
    mergedAt: row.merged_at.toISOString(),
    foundAt: row.found_at.toISOString(),
    earlier: row.is_earlier,
    status,
    reason,
    score,
    explanation: explanationOf({ status, reason, score, factors, hasNextTry: nextTryAt !== null }),
    factors: factors.map((factor) => ({ ...factor, text: factorText(factor) })),
    error: status === 'failed' ? errorOf(row) : null,
    nextTryAt: nextTryAt?.toISOString() ?? null,
    articleId: row.article_id,
  }
}

function errorOf({ error_code, error_message, error_reason }: ListedMerge): Merge['error'] {
  return error_code && { code: error_code, message: error_message ?? '', ...(error_reason && { reason: error_reason }) }
}
