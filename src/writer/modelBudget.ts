import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelConfig } from '../config/config.ts'
import { Problem } from '../errors.ts'
import type { AskModel, ModelAnswer } from '../model/call.ts'
import { ModelUnavailable } from '../model/errors.ts'
import type { JsonSchema } from '../model/schema.ts'
import { dayOf, generationFailed, untilTomorrow } from './errors.ts'
import type { MeasuredPrompt } from './prompts/prompts.ts'
import { createThrottle } from './streamProgress.ts'

/** What a model is asked through while one article is written: it keeps to what an article may take. */
export interface ModelBudget {
  /** What an article may take, a model may take anew that stands in for another. */
  asking(model: string): Ask
  readonly spent: { calls: number; inputTokens: number; outputTokens: number }
}

/** Receives the number of characters that have arrived. */
export type OnProgress = (characters: number) => Promise<void>
export type Ask = (prompt: MeasuredPrompt, schema: JsonSchema, onProgress?: OnProgress) => Promise<ModelAnswer>

/** The tokens that all articles of a day share. */
export interface DailyTokens {
  /** Returns false where fewer than `tokens` are left. */
  reserve(day: string, tokens: number, limit: number): Promise<boolean>
  /** Corrects a reservation by what the call really took. */
  settle(day: string, difference: number): Promise<void>
}

export interface Means {
  ask: AskModel
  config: ModelConfig
  now: () => Date
  dailyTokens: DailyTokens
  countTokens: (text: string) => Promise<number>
  signal: AbortSignal
  onAnswered: () => Promise<void>
  onUnavailable: (model: string, error: ModelUnavailable) => Promise<void>
}

const MAX_OUTPUT_TOKENS = 16_000
/** What an answer is taken to need, until it is there. */
const LIKELY_OUTPUT_TOKENS = 2000
const MAX_COUNTED = 200_000
const RETRIES_PER_ARTICLE = 2
const MAX_PAUSE_SECONDS = 20

export function openModelBudget(means: Means): ModelBudget {
  const { config, signal } = means
  const spent = { calls: 0, inputTokens: 0, outputTokens: 0 }
  const throttle = createThrottle()
  let retries = RETRIES_PER_ARTICLE
  let former = { ...spent }

  async function askOnce(model: string, [prompt, schema, report]: Parameters<Ask>): Promise<ModelAnswer> {
    const { messages, tokens: size } = prompt
    if (spent.calls - former.calls >= config.callsPerArticle)
      throw generationFailed('The article would take more calls of the model than MODEL_CALLS_PER_ARTICLE allows.')
    if (tokensIn(spent) - tokensIn(former) + size > config.tokensPerArticle)
      throw generationFailed('The article would take more tokens than MODEL_TOKENS_PER_ARTICLE allows.')
    spent.calls += 1
    const answer = await within(means, size, async () => {
      const onProgress = (characters: number) => report && throttle.offer(() => report(characters))
      const call = { model, messages, schema, maxOutputTokens: MAX_OUTPUT_TOKENS, signal, onProgress }
      const said = await means.ask(call).finally(throttle.settled)
      const { inputTokens, outputTokens, content } = said
      // Not every server counts.
      return {
        ...said,
        inputTokens: inputTokens || size,
        outputTokens: outputTokens || (await means.countTokens(content.slice(0, MAX_COUNTED))),
      }
    })
    spent.inputTokens += answer.inputTokens
    spent.outputTokens += answer.outputTokens
    return answer
  }

  async function ask(model: string, ...question: Parameters<Ask>): Promise<ModelAnswer> {
    const [prompt] = question
    if (prompt.tokens > config.tokensPerCall)
      throw generationFailed(`A prompt of ${prompt.tokens} tokens would be over budget.`)
    for (;;)
      try {
        const answer = await askOnce(model, question)
        await means.onAnswered()
        return answer
      } catch (error) {
        const pause = retries > 0 ? pauseAfter(error) : undefined
        // One that says nothing is not waited for three times.
        if (pause !== undefined) retries -= error instanceof ModelUnavailable && error.silent ? RETRIES_PER_ARTICLE : 1
        if (error instanceof ModelUnavailable) {
          // What was not answered is bounded by the retries.
          spent.calls -= 1
          // One that asks for a moment's patience is not down.
          if (pause === undefined || error.retryAfter === undefined) await means.onUnavailable(model, error)
        }
        if (pause === undefined) throw error
        await sleep(pause * 1000, undefined, { signal })
      }
  }

  return {
    spent,
    asking(model) {
      former = { ...spent }
      return (...question) => ask(model, ...question)
    },
  }
}

function tokensIn({ inputTokens, outputTokens }: ModelBudget['spent']): number {
  return inputTokens + outputTokens
}

/** For how long to wait before asking again; undefined where that is too long or of no use. */
function pauseAfter(error: unknown): number | undefined {
  if (!(error instanceof ModelUnavailable) || !error.passing) return undefined
  const seconds = error.retryAfter ?? 0.5
  return seconds <= MAX_PAUSE_SECONDS ? seconds : undefined
}

/** Sets the day's tokens aside before a call and settles them after it. */
async function within(
  { config, dailyTokens, now }: Means,
  size: number,
  call: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const limit = config.tokensPerDay
  if (limit === undefined) return call()
  const day = dayOf(now())
  const estimate = size + LIKELY_OUTPUT_TOKENS
  if (!(await dailyTokens.reserve(day, estimate, limit))) throw tokensSpent(limit, now())
  let taken = 0
  try {
    const answer = await call()
    taken = answer.inputTokens + answer.outputTokens
    return answer
  } catch (error) {
    // What is not answered may have been read all the same.
    if (error instanceof ModelUnavailable && error.silent) taken = size
    throw error
  } finally {
    await dailyTokens.settle(day, taken - estimate)
  }
}

export function tokensSpent(limit: number, now: Date): Problem {
  return new Problem('QUOTA_EXCEEDED', `The ${limit} model tokens of this day are spent.`, {
    details: { limit },
    retryAfter: untilTomorrow(now),
  })
}
