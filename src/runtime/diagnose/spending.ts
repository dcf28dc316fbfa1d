import type { Config } from '../config/config.ts'
import { highestCostOf } from '../config/prices.ts'
import type { Finding } from './finding.ts'

const DAYS_OF_MONTH = 31
const part = 'spending'

/** States the limits of what the model may cost. */
export async function checkSpending({ model, articles }: Config): Promise<Finding[]> {
  if (!model) return []
  const { names, prices, tokensPerDay, tokensPerArticle } = model
  const unpriced = names.filter((name) => !prices[name])
  /** The highest cost of so many tokens, whichever model uses them. */
  const costOf = (tokens: number) => Math.max(...Object.values(prices).map((price) => highestCostOf(tokens, price)))
  const costing = (text: (cost: (tokens: number) => string) => string) =>
    unpriced.length > 0 ? '' : `, ${text((tokens) => costOf(tokens).toFixed(2))}`
  const perDay = costing(
    (cost) => `at most ${cost(tokensPerDay)} a day and ${cost(tokensPerDay * DAYS_OF_MONTH)} a month`,
  )
  const perArticle = costing((cost) => `at most ${cost(Math.min(tokensPerArticle, tokensPerDay))} each`)
  const limits: Finding[] = [
    `MODEL_TOKENS_PER_DAY allows ${count(tokensPerDay)} tokens a day for all articles${perDay}.`,
    `ARTICLE_QUOTA_PER_DAY allows a user ${count(articles.quotaPerDay)} articles a day${perArticle}.`,
  ].map((found) => ({ part, state: 'ok', found }))
  if (unpriced.length === 0) return limits
  const found = `What ${unpriced.join(' and ')} costs is unknown.`
  const remedy = 'Set MODEL_PRICES_PER_MILLION_TOKENS, with the prices of the fallback model after a semicolon.'
  return [...limits, { part, state: 'advice', found, remedy }]
}

function count(number: number): string {
  return number.toLocaleString('en')
}
