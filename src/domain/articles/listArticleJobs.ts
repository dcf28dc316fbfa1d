import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { findStaleJobPlaces, findStartedJobs } from '../../db/articles/jobLists.ts'
import { decodeCursor, encodeCursor, isTime, isUuid } from '../../lib/cursor.ts'
import type { Viewer } from '../accounts/session.ts'
import { checkUnverified } from '../repositories/publicVisibility.ts'
import { recheckAccess } from '../repositories/recheckAccess.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { toJob } from './jobs.ts'

type ArticleJobsPage = components['schemas']['ArticleJobsPage']

/** A page of the jobs that the viewer started. Repositories hidden only by a stale visibility check are rechecked first. */
export async function listArticleJobs(
  ctx: Context,
  viewer: Viewer,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ArticleJobsPage> {
  const values = decodeCursor<[number, string]>(cursor, ([at, id]) => isTime(at) && isUuid(id))
  const after = values && { at: new Date(values[0]), id: values[1] }
  await recheckAccess(ctx, viewer, await findStaleJobPlaces(ctx.db, audienceOf(ctx, viewer), viewer))
  const rows = await findStartedJobs(ctx.db, audienceOf(ctx, viewer), viewer, { limit: limit + 1, after })
  checkUnverified(ctx, rows)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    data: page.map(toJob),
    pagination: { limit, nextCursor: last ? encodeCursor([last.created_at.getTime(), last.id]) : null },
  }
}
