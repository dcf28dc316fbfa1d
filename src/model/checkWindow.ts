import { randomBytes, randomInt } from 'node:crypto'
import pLimit, { type LimitFunction } from 'p-limit'
import { ttlCache } from '../lib/ttlCache.ts'
import {
  type AskModel,
  addUsage,
  hasSchemaInPrompt,
  type Message,
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

/** Too short for an instruction. In scripts without spaces, a character says more. */
const PIECES = /[\u2e80-\uffff]{1,4}|[^\u2e80-\uffff]{1,12}/g
/** Shuffled, a text has about a sixth to a quarter more tokens, as measured with prompts and Japanese articles. */
const KEPT_SHARE = 0.85
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: { first: { type: 'string' }, second: { type: 'string' }, last: { type: 'string' } },
  required: ['first', 'second', 'last'],
  additionalProperties: false,
}
const QUESTION = `This is a test of how much of a prompt arrives. It has three words: on the lines "First word:", "Second word:" and
"Last word:". Everything between them is filler without meaning. Answer with a JSON object: first, second and last are these
words, exactly as they stand. If a line is missing, its word is "".`

/** The outcome of sending a long prompt with a word at each place where servers cut. */
interface Canary {
  verdict: 'whole' | 'cut' | 'unclear'
  /** What the server counted, or named in its refusal. */
  windowTokens: number | undefined
  usage: Usage
}

/**
 * Some servers cut a prompt that exceeds the window and answer as if nothing had happened. Where the reported tokens do
 * not rule that out, a canary of the same length decides, and no answer to a cut prompt gets through.
 */
export function checkWindow(ask: AskModel, now: () => Date): AskModel {
  /** The longest prompt that a canary has shown to be read whole, by its number of messages, and the shortest that was cut. */
  const readTokens = ttlCache<number>(now, READ_TTL_MS, MAX_MODELS)
  const cut = ttlCache<{ tokens: number; window: number | undefined; isUnclear: boolean }>(now, CUT_TTL_MS, MAX_MODELS)
  /** So that simultaneous articles wait for one canary. */
  const oneAtATime = new Map<string, LimitFunction>()

  function requireUncut({ model, promptTokens }: ModelCall, usage?: Usage): void {
    const limit = cut.get(model)
    if (limit && promptTokens >= limit.tokens) throw new WindowTooSmall(promptTokens, limit.window, { ...limit, usage })
  }

  async function requireWhole(call: ModelCall, answer: ModelAnswer, isLikelyCut: boolean): Promise<Usage> {
    const { model, promptTokens, messages } = call
    const spent = { ...addUsage(NO_USAGE, answer), inputTokens: answer.inputTokens || promptTokens }
    requireUncut(call, spent)
    const key = `${model} ${messages.length}`
    if (promptTokens <= (readTokens.get(key) ?? 0)) return NO_USAGE
    let { verdict, usage } = await sendCanary(ask, call)
    if (verdict === 'cut' && !isLikelyCut) {
      // A model that makes a mistake is more likely than a window of just this size.
      const again = await sendCanary(ask, call)
      verdict = again.verdict
      usage = addUsage(usage, again.usage)
    }
    if (verdict === 'whole' || (verdict === 'unclear' && !isLikelyCut)) {
      readTokens.set(key, promptTokens)
      return usage
    }
    const window = answer.inputTokens > 0 ? answer.inputTokens : undefined
    const isUnclear = verdict === 'unclear'
    cut.set(model, { tokens: promptTokens, window, isUnclear })
    throw new WindowTooSmall(promptTokens, window, { usage: addUsage(spent, usage), isUnclear })
  }

  return async (call) => {
    requireUncut(call)
    const answer = await ask(call)
    // An empty answer is not published.
    if (call.isCanary || answer.content.trim() === '' || call.promptTokens < MIN_WINDOW_TOKENS) return answer
    const isLikelyCut = isFarBelow(answer, call.promptTokens) || isUsualWindow(answer)
    if (!isLikelyCut && !isRound(answer)) return answer
    const limit = oneAtATime.get(call.model) ?? pLimit(1)
    oneAtATime.set(call.model, limit)
    const usage = await limit(() => requireWhole(call, answer, isLikelyCut))
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

/** Sends the messages of a call again, shuffled to filler, with words at the places where servers cut. */
export async function sendCanary(ask: AskModel, call: Omit<ModelCall, 'schema'>): Promise<Canary> {
  const words = [randomWord(), randomWord(), randomWord()]
  const { onProgress: _, blank: __, ...rest } = call
  const question: ModelCall = { ...rest, isCanary: true, schema: SCHEMA, messages: withWords(call.messages, words) }
  try {
    let answer = await ask(question)
    let usage: Usage = answer
    const again = answer.cutOff ? { blank: answer.shape } : isMisfit(answer) ? { schemaInPrompt: true } : undefined
    if (again) {
      answer = await ask({ ...question, ...again })
      usage = addUsage(usage, answer)
    }
    const missing = words.filter((word) => !answer.content.includes(word))
    const isUnclear = missing.length === words.length && !answer.content.includes('""')
    const verdict = missing.length === 0 ? 'whole' : isUnclear ? 'unclear' : 'cut'
    return { verdict, windowTokens: answer.inputTokens || undefined, usage }
  } catch (error) {
    // Harmless text in an accepted form: only its length can be the reason.
    if (error instanceof WindowTooSmall || error instanceof PromptRefused) {
      const windowTokens = error instanceof WindowTooSmall ? error.windowTokens : undefined
      return { verdict: 'cut', windowTokens, usage: NO_USAGE }
    }
    throw error
  }
}

/** Some servers drop the beginning of the text, others whole messages after the first one, others the end. */
function withWords(messages: Message[], [first, second, last]: string[]): Message[] {
  const end = messages.length - 1
  return messages.map(({ role, content }, i) => {
    const texts = [
      i === 0 ? `${QUESTION}\n\nFirst word: ${first}\n` : '',
      i === Math.min(1, end) ? `Second word: ${second}\n` : '',
      shuffled(content),
      i === end ? `\nLast word: ${last}\n\n${QUESTION}` : '',
    ]
    return { role, content: texts.join('') }
  })
}

/** About as many tokens without any meaning, because a prompt holds text of strangers. */
function shuffled(text: string): string {
  const pieces = text.match(PIECES) ?? []
  for (let i = pieces.length - 1; i > 0; i--) {
    const other = randomInt(i + 1)
    const piece = pieces[i] ?? ''
    pieces[i] = pieces[other] ?? ''
    pieces[other] = piece
  }
  return pieces.slice(0, Math.ceil(pieces.length * KEPT_SHARE)).join('')
}

/** Whether the server did not apply the schema. */
function isMisfit(answer: ModelAnswer): boolean {
  return !hasSchemaInPrompt(answer) && !answer.content.includes('"first"')
}

function randomWord(): string {
  return `word-${randomBytes(4).toString('hex')}`
}
