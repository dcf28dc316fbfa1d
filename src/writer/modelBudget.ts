import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../errors.ts'
import { dayOf, secondsUntilTomorrow } from '../lib/day.ts'
import { type AskModel, addUsage, type ModelAnswer, NO_USAGE, type Usage } from '../model/call.ts'
import { ModelUnavailable, WindowTooSmall } from '../model/errors.ts'
import type { JsonSchema } from '../model/schema.ts'
import { generationFailed } from './errors.ts'
import type { MeasuredPrompt } from './prompts/prompts.ts'
import type { ReadingLimits } from './reading/budget.ts'
import { createThrottle } from './streamProgress.ts'

/** Limits the model calls and tokens that one article may use. */
export interface ModelBudget {
  /** Starts a new budget, because a fallback model gets the full budget of an article again. */
  asking(model: string): Ask
  /** What all models together have spent on the article. */
  readonly spent: Spent
  /** What each model has spent, in the order in which they were asked. */
  readonly spentOn: readonly ModelSpent[]
}

export type Spent = Usage & { calls: number }
export type ModelSpent = Spent & { model: string }

/** Receives the number of characters that have arrived. */
export type OnProgress = (characters: number) => Promise<void>
export interface AskOptions {
  onProgress?: OnProgress | undefined
  /** The server does not apply schemas: show the model the schema in the prompt. */
  schemaInPrompt?: boolean
}
export type Ask = (prompt: MeasuredPrompt, schema: JsonSchema, options?: AskOptions) => Promise<ModelAnswer>

/** The token budget that all articles of a day share. */
export interface DailyTokens {
  /** Returns false if the day's tokens are used up or reserved. */
  reserve(day: string, tokens: number): Promise<boolean>
  /** Corrects a reservation by the actual usage of the call. */
  settle(day: string, difference: number): Promise<void>
}

export interface ModelLimits extends ReadingLimits {
  outputTokensPerCall: number
  secondsPerCall: number
  tokensPerDay: number
  /** The processing tier of automatic articles. */
  automaticTier: string | undefined
}

export interface BudgetDependencies {
  ask: AskModel
  config: ModelLimits
  now: () => Date
  dailyTokens: DailyTokens
  countTokens: (text: string) => Promise<number>
  /** The processing tier to try first. */
  tier?: string | undefined
  signal: AbortSignal
  onAnswered: () => Promise<void>
  onUnavailable: (model: string, error: ModelUnavailable) => Promise<void>
  /** Waits before a retry. Default: a timer in real time. */
  pause?: (milliseconds: number) => Promise<void>
}

/** The number of tokens reserved for an answer until its actual size is known. */
const LIKELY_OUTPUT_TOKENS = 2000
const MAX_COUNTED_CHARACTERS = 200_000
const RETRIES_PER_ARTICLE = 2
const MAX_PAUSE_SECONDS = 20

/** The timeout for a cheaper tier: providers process its calls within 15 minutes. */
const TIER_SECONDS = 15 * 60

/** The longest timeout that a call may have in the configured tiers. */
export function longestCallSeconds({
  secondsPerCall,
  automaticTier,
}: Pick<ModelLimits, 'secondsPerCall' | 'automaticTier'>): number {
  return automaticTier === undefined ? secondsPerCall : Math.max(TIER_SECONDS, secondsPerCall)
}

const NOTHING: Spent = { calls: 0, ...NO_USAGE }

interface Question {
  /** The model, and what it has spent so far. */
  spent: ModelSpent
  prompt: MeasuredPrompt
  schema: JsonSchema
  options: AskOptions & { blank?: ModelAnswer['shape'] }
}

export function openModelBudget(deps: BudgetDependencies): ModelBudget {
  const { config, signal } = deps
  const spentOn: ModelSpent[] = []
  const throttle = createThrottle()
  let retries = RETRIES_PER_ARTICLE
  let { tier } = deps

  async function askOnce({ spent, prompt, schema, options }: Question, tier: string | undefined): Promise<ModelAnswer> {
    const { messages, tokens: promptTokens } = prompt
    const { model } = spent
    if (spent.calls >= config.callsPerArticle)
      throw generationFailed('The article needs more model calls than MODEL_CALLS_PER_ARTICLE allows.')
    if (tokensIn(spent) + promptTokens > config.tokensPerArticle)
      throw generationFailed('The article needs more tokens than MODEL_TOKENS_PER_ARTICLE allows.')
    spent.calls += 1
    const answer = await withDailyTokens(deps, promptTokens, async () => {
      const { onProgress: report, ...more } = options
      const received = await deps
        .ask({
          ...{ model, messages, schema, promptTokens, signal, ...more },
          maxOutputTokens: config.outputTokensPerCall,
          ...(tier !== undefined && { tier, seconds: longestCallSeconds(config) }),
          onProgress: (characters) => void (report && throttle.offer(() => report(characters))),
        })
        .finally(throttle.settled)
      const { inputTokens, outputTokens, content } = received
      // Not every server reports token counts.
      return {
        ...received,
        inputTokens: inputTokens || promptTokens,
        outputTokens: outputTokens || (await deps.countTokens(content.slice(0, MAX_COUNTED_CHARACTERS))),
      }
    })
    Object.assign(spent, addUsage(spent, answer))
    return answer
  }

  async function ask(question: Question): Promise<ModelAnswer> {
    const { prompt, options, spent } = question
    if (prompt.tokens > config.tokensPerCall)
      throw generationFailed(`A prompt of ${prompt.tokens} tokens exceeds MODEL_TOKENS_PER_CALL.`)
    for (;;) {
      const triedTier = tier
      try {
        const answer = await askOnce(question, triedTier)
        await deps.onAnswered()
        // Reasoning used up all output tokens before the text began. Ask for less reasoning, not for a shorter text.
        const spentOnReasoning = answer.cutOff && answer.content.trim() === '' && !options.blank
        return spentOnReasoning ? ask({ ...question, options: { ...options, blank: answer.shape } }) : answer
      } catch (error) {
        if (error instanceof WindowTooSmall) Object.assign(spent, addUsage(spent, error.usage))
        if (error instanceof ModelUnavailable && triedTier !== undefined) {
          spent.calls -= 1
          tier = undefined
          continue
        }
        const pause = retries > 0 ? pauseAfter(error) : undefined
        // A silent model gets one retry only, because each attempt waits for the full timeout.
        if (pause !== undefined) retries -= error instanceof ModelUnavailable && error.silent ? RETRIES_PER_ARTICLE : 1
        if (error instanceof ModelUnavailable) {
          // Do not count failed calls as calls of the article: the number of retries already limits them.
          spent.calls -= 1
          // A model that sent a short Retry-After is not down.
          if (pause === undefined || error.retryAfter === undefined) await deps.onUnavailable(spent.model, error)
        }
        if (pause === undefined) throw error
        await (deps.pause ? deps.pause(pause * 1000) : sleep(pause * 1000, undefined, { signal }))
      }
    }
  }

  return {
    get spent() {
      return spentOn.reduce(
        (sum, { calls, ...usage }) => ({ calls: sum.calls + calls, ...addUsage(sum, usage) }),
        NOTHING,
      )
    },
    spentOn,
    asking(model) {
      const spent = { model, ...NOTHING }
      spentOn.push(spent)
      return (prompt, schema, options = {}) => ask({ spent, prompt, schema, options })
    },
  }
}

function tokensIn({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens
}

/** Seconds to wait before a retry; undefined if a retry is useless or the wait too long. */
function pauseAfter(error: unknown): number | undefined {
  if (!(error instanceof ModelUnavailable) || !error.passing) return undefined
  const seconds = error.retryAfter ?? 0.5
  return seconds <= MAX_PAUSE_SECONDS ? seconds : undefined
}

/** Reserves tokens of the daily budget before a call and settles the difference after it. */
async function withDailyTokens(
  { config, dailyTokens, now }: BudgetDependencies,
  promptTokens: number,
  call: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const limit = config.tokensPerDay
  const day = dayOf(now())
  const estimate = promptTokens + LIKELY_OUTPUT_TOKENS
  if (!(await dailyTokens.reserve(day, estimate))) throw tokensSpent(limit, now())
  let used = 0
  try {
    const answer = await call()
    used = tokensIn(answer)
    return answer
  } catch (error) {
    // The server may have processed the prompt without answering.
    if (error instanceof ModelUnavailable && error.silent) used = promptTokens
    if (error instanceof WindowTooSmall) used = tokensIn(error.usage)
    throw error
  } finally {
    await dailyTokens.settle(day, used - estimate)
  }
}

export function tokensSpent(limit: number, now: Date): Problem {
  return new Problem('QUOTA_EXCEEDED', `The daily budget of ${limit} model tokens is used up.`, {
    details: { limit },
    retryAfter: secondsUntilTomorrow(now),
  })
}
