import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import { ttlCache } from '../lib/ttlCache.ts'
import {
  type AskModel,
  addUsage,
  hasSchemaInPrompt,
  type ModelAnswer,
  type ModelCall,
  NO_USAGE,
  type Usage,
} from './call.ts'
import { PromptRefused, WindowTooSmall } from './errors.ts'
import type { JsonSchema } from './schema.ts'

/** Every model reads as much. */
const MIN_WINDOW_TOKENS = 1500
/** Tokenizers differ by less than this. */
const LEAST_SHARE = 0.7
/** A window or its half is mostly a multiple of one of these, and a cut prompt nearly fills it; others seldom do. */
const ROUND = [1000, 512]
const NEARLY = 8
const READ_TTL_MS = 60 * 60_000
/** Shorter, because the operator may have given the model a larger window meanwhile. */
const CUT_TTL_MS = 10 * 60_000
const MAX_MODELS = 100

const FILLER = 'and the sun is warm on the old stone wall\n'
const FILLER_TOKENS = 11
/** Besides the filler. */
const QUESTION_TOKENS = 120
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: { first: { type: 'string' }, last: { type: 'string' } },
  required: ['first', 'last'],
  additionalProperties: false,
}
const QUESTION = `The text has a first word on the line "First word:" and a last word on the line "Last word:". Between them is filler.
Answer with a JSON object: first is the first word, last is the last word, both exactly as they stand. If a line is missing, use "".`

/** The outcome of sending a long prompt with a word at each of its ends. */
interface Canary {
  isWhole: boolean
  /** The answer is about neither word, so it may be the model that failed. */
  isUnclear: boolean
  usage: Usage
}

/**
 * Some servers cut a prompt that exceeds the window and answer as if nothing had happened. Where the reported tokens do
 * not rule that out, a canary of the same length decides, and no answer to a cut prompt gets through.
 */
export function checkWindow(ask: AskModel, now: () => Date): AskModel {
  /** The longest prompt that a canary has shown to be read whole, and the shortest that was cut. */
  const readTokens = ttlCache<number>(now, READ_TTL_MS, MAX_MODELS)
  const cut = ttlCache<{ tokens: number; window: number | undefined }>(now, CUT_TTL_MS, MAX_MODELS)
  /** So that simultaneous articles wait for one canary. */
  const oneAtATime = pLimit(1)

  function requireUncut({ model, promptTokens }: ModelCall): void {
    const known = cut.get(model)
    if (known && promptTokens >= known.tokens) throw new WindowTooSmall(promptTokens, known.window)
  }

  async function requireWhole(call: ModelCall, { inputTokens }: ModelAnswer, isLikelyCut: boolean): Promise<Usage> {
    requireUncut(call)
    const { model, promptTokens } = call
    if (promptTokens <= (readTokens.get(model) ?? 0)) return NO_USAGE
    const { isWhole, isUnclear, usage } = await sendCanary(ask, call)
    if (isWhole || (isUnclear && !isLikelyCut)) {
      readTokens.set(model, promptTokens)
      return usage
    }
    const window = inputTokens > 0 ? inputTokens : undefined
    cut.set(model, { tokens: promptTokens, window })
    throw new WindowTooSmall(promptTokens, window)
  }

  return async (call) => {
    requireUncut(call)
    const answer = await ask(call)
    // An empty answer is not published.
    if (call.isCanary || answer.content.trim() === '' || call.promptTokens < MIN_WINDOW_TOKENS) return answer
    const isLikelyCut = isFarBelow(answer, call.promptTokens) || isUsualWindow(answer)
    if (!isLikelyCut && !isRound(answer)) return answer
    const usage = await oneAtATime(() => requireWhole(call, answer, isLikelyCut))
    return { ...answer, ...addUsage(answer, usage) }
  }
}

/** Some servers count only the tokens that were not in their cache, and some count none. */
function isFarBelow({ inputTokens, cachedTokens }: ModelAnswer, promptTokens: number): boolean {
  return inputTokens === 0 || inputTokens + cachedTokens < LEAST_SHARE * promptTokens
}

/** The windows that servers have unless told otherwise: a power of two. */
function isUsualWindow({ inputTokens }: ModelAnswer): boolean {
  return inputTokens > 0 && Number.isInteger(Math.log2(inputTokens))
}

function isRound({ inputTokens }: ModelAnswer): boolean {
  return ROUND.some((size) => (inputTokens + NEARLY) % size <= 2 * NEARLY)
}

/** Sends a prompt of the same length as that of the call, without any of its text. */
export async function sendCanary(ask: AskModel, call: Omit<ModelCall, 'schema' | 'messages'>): Promise<Canary> {
  const [first, last] = [randomWord(), randomWord()]
  const lines = Math.max(1, Math.round((call.promptTokens - QUESTION_TOKENS) / FILLER_TOKENS))
  const text = `First word: ${first}\n${FILLER.repeat(lines)}Last word: ${last}`
  const { onProgress: _, ...rest } = call
  const question: ModelCall = {
    ...rest,
    isCanary: true,
    schema: SCHEMA,
    messages: [
      { role: 'system', content: QUESTION },
      { role: 'user', content: text },
    ],
  }
  try {
    let answer = await ask(question)
    let usage: Usage = answer
    const again = answer.cutOff ? { blank: answer.shape } : isMisfit(answer) ? { schemaInPrompt: true } : undefined
    if (again) {
      answer = await ask({ ...question, ...again })
      usage = addUsage(usage, answer)
    }
    const [hasFirst, hasLast] = [answer.content.includes(first), answer.content.includes(last)]
    const isUnclear = !hasFirst && !hasLast && !answer.content.includes('""')
    return { isWhole: hasFirst && hasLast, isUnclear, usage }
  } catch (error) {
    // Harmless text in an accepted form: only its length can be the reason.
    if (error instanceof WindowTooSmall || error instanceof PromptRefused)
      return { isWhole: false, isUnclear: false, usage: NO_USAGE }
    throw error
  }
}

/** Whether the server did not apply the schema. */
function isMisfit(answer: ModelAnswer): boolean {
  return !hasSchemaInPrompt(answer) && !answer.content.includes('"first"')
}

function randomWord(): string {
  return `word-${randomBytes(4).toString('hex')}`
}
