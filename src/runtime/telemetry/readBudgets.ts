import type { Context } from '../../context.ts'
import { tokensOf } from '../../db/articles/quotas.ts'
import { countStarted } from '../../db/merges/budgets.ts'
import { countCalls } from '../../db/merges/poller.ts'
import { dayOf } from '../../lib/day.ts'
import { isWatching } from '../config/isWatching.ts'

export interface BudgetUse {
  budget: 'model_tokens' | 'automatic_articles' | 'watch_calls'
  used: number
  limit: number
}

/** What all nodes together have used of each budget that applies. */
export async function readBudgets({ db, config, now }: Pick<Context, 'db' | 'config' | 'now'>): Promise<BudgetUse[]> {
  const { model, automaticArticles } = config
  const day = dayOf(now())
  const budgets: BudgetUse[] = []
  if (model) budgets.push({ budget: 'model_tokens', used: await tokensOf(db, day), limit: model.tokensPerDay })
  if (isWatching({ config })) {
    const { perDay, callsPerHour } = automaticArticles
    budgets.push({ budget: 'automatic_articles', used: await countStarted(db, day), limit: perDay })
    budgets.push({ budget: 'watch_calls', used: await countCalls(db, now()), limit: callsPerHour })
  }
  return budgets
}
