import { randomUUIDv7 } from 'node:crypto'
import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { lockUser } from '../../db/accounts/users.ts'
import type { TextKey } from '../../db/likes/likes.ts'
import {
  countMistakes,
  findSameMistake,
  findShownText,
  insertMistake,
  type NewMistake,
} from '../../db/mistakes/mistakes.ts'
import { Problem } from '../../errors.ts'
import { dayOf, secondsUntilTomorrow } from '../../lib/day.ts'
import { DAY_MS } from '../../lib/times.ts'
import { userNotFound } from '../accounts/problems.ts'
import type { Viewer } from '../accounts/session.ts'
import { findOfArticle } from '../articles/checkVisibility.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { type ReportMistakeRequest, storable } from './reportText.ts'

type MistakeReport = components['schemas']['MistakeReport']

export const MAX_REPORTS_PER_DAY = 20

/** Stores a report about a visible text. The same report again within a day is not stored, and does not count. */
export async function reportMistake(
  ctx: Context,
  viewer: Viewer,
  text: TextKey,
  { description, quote = '' }: ReportMistakeRequest,
): Promise<{ report: MistakeReport; created: boolean }> {
  const now = ctx.now()
  const report: NewMistake = {
    id: randomUUIDv7(),
    user_id: viewer.user.id,
    article_id: await requireShownText(ctx, viewer, text),
    language: text.language,
    description: storable(description),
    quote: storable(quote) || null,
    created_at: now,
  }
  return ctx.db.transaction().execute(async (trx) => {
    // Handles one report of a user at a time, so that concurrent requests neither exceed the limit nor store one twice.
    if (!(await lockUser(trx, viewer.user.id))) throw userNotFound()
    const first = await findSameMistake(trx, report, new Date(now.getTime() - DAY_MS))
    if (first) return { report: toReport(first), created: false }
    if ((await countMistakes(trx, viewer.user.id, new Date(dayOf(now)))) >= MAX_REPORTS_PER_DAY)
      throw quotaExceeded(now)
    await insertMistake(trx, report)
    return { report: toReport(report), created: true }
  })
}

async function requireShownText(ctx: Context, viewer: Viewer, text: TextKey): Promise<string> {
  const find = () => findShownText(ctx.db, audienceOf(ctx, viewer), text)
  const { id } = await findOfArticle(ctx, text.articleId, { atOnce: find, identify: () => viewer, checked: find })
  return id
}

function toReport({ id, created_at }: Pick<NewMistake, 'id' | 'created_at'>): MistakeReport {
  return { id, createdAt: created_at.toISOString() }
}

function quotaExceeded(now: Date): Problem {
  return new Problem('QUOTA_EXCEEDED', `Daily quota of ${MAX_REPORTS_PER_DAY} reports per user reached.`, {
    details: { limit: MAX_REPORTS_PER_DAY },
    retryAfter: secondsUntilTomorrow(now),
  })
}
