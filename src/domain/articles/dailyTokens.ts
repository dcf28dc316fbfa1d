import type { Context } from '../../context.ts'
import { markWarned, reserveTokens, settleTokens } from '../../db/articles/quotas.ts'
import type { DailyTokens } from '../../writer/modelBudget.ts'

const WARNINGS = [
  {
    percent: 100,
    text: 'The model tokens of today are used up: no article is written by the model until midnight UTC.',
  },
  { percent: 80, text: 'Most model tokens of today are used.' },
]

/** The model tokens of the day, which all nodes share. The operator is warned of each threshold once a day. */
export function dailyTokensOf({ db, log }: Pick<Context, 'db' | 'log'>, limit: number): DailyTokens {
  return {
    reserve: (day, tokens) => reserveTokens(db, day, tokens, limit),
    async settle(day, difference) {
      const tokens = await settleTokens(db, day, difference)
      const reached = WARNINGS.find(({ percent }) => tokens * 100 >= limit * percent)
      if (reached && (await markWarned(db, day, reached.percent)))
        log.warn({ tokens, limit, percent: reached.percent, variable: 'MODEL_TOKENS_PER_DAY' }, reached.text)
    },
  }
}
