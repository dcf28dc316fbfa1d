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

/** Every model can read a prompt of this length. */
const MIN_WINDOW_TOKENS = 1500
/**
 * If a server reports less than this share of the tokens that we count, it may have cut the prompt: tokenizers differ
 * by less.
 */
const LEAST_SHARE = 0.7
/**
 * A model's window, or half of it, is usually a multiple of one of these numbers of tokens. A cut prompt nearly fills
 * the window; other prompts seldom do.
 */
const ROUND = [1000, 512]
const NEARLY = 8
const READ_TTL_MS = 60 * 60_000
/** Shorter than READ_TTL_MS, because the operator may have given the model a larger window meanwhile. */
const CUT_TTL_MS = 10 * 60_000
const MAX_MODELS = 100

/**
 * The pieces into which a text is cut for shuffling: too short to hold an instruction. In scripts without spaces they
 * are shorter, because each character says more.
 */
const PIECES = /[\u2e80-\uffff]{1,4}|[^\u2e80-\uffff]{1,12}/g
/**
 * The share of the pieces that a shuffled text keeps: shuffling adds about a sixth to a quarter of the tokens, as
 * measured with prompts and Japanese articles.
 */
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
  /** The tokens that the server counted, or the window that its refusal named. */
  windowTokens: number | undefined
  usage: Usage
}

/**
 * Some servers cut a prompt that exceeds the window and answer as if nothing had happened. Where the reported tokens do
 * not rule that out, a canary (a test prompt of the same length) decides. No answer to a cut prompt is returned.
 */
export function checkWindow(ask: AskModel, now: () => Date): AskModel {
  /**
   * `readTokens`: the longest prompt that a canary has shown to be read whole, by model and number of messages. `cut`:
   * the shortest prompt that was cut, by model.
   */
  const readTokens = ttlCache<number>(now, READ_TTL_MS, MAX_MODELS)
  const cut = ttlCache<{ tokens: number; window: number | undefined; isUnclear: boolean }>(now, CUT_TTL_MS, MAX_MODELS)
  /** Limits each model to one canary at a time, so that simultaneous articles wait for its result. */
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
      // Sends a second canary: a mistake of the model is more likely than a window of exactly this size.
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
    // An empty answer needs no check, because it is not published.
    if (call.isCanary || answer.content.trim() === '' || call.promptTokens < MIN_WINDOW_TOKENS) return answer
    const isLikelyCut = isFarBelow(answer, call.promptTokens) || isUsualWindow(answer)
    if (!isLikelyCut && !isRound(answer)) return answer
    const limit = oneAtATime.get(call.model) ?? pLimit(1)
    oneAtATime.set(call.model, limit)
    const usage = await limit(() => requireWhole(call, answer, isLikelyCut))
    return { ...answer, ...addUsage(answer, usage) }
  }
}

/**
 * Whether the server reports far fewer tokens than the prompt has. Some servers count only the tokens that were not in
 * their cache, and some count none.
 */
function isFarBelow({ inputTokens, cachedTokens }: ModelAnswer, promptTokens: number): boolean {
  return inputTokens === 0 || inputTokens + cachedTokens < LEAST_SHARE * promptTokens
}

/** Whether the reported input has exactly the size of a window that servers use by default: a power of two. */
function isUsualWindow({ inputTokens }: ModelAnswer): boolean {
  return inputTokens > 0 && Number.isInteger(Math.log2(inputTokens))
}

function isRound({ inputTokens }: ModelAnswer): boolean {
  return ROUND.some((size) => (inputTokens + NEARLY) % size <= 2 * NEARLY)
}

/**
 * Sends the messages of a call again, shuffled into text without meaning, with words at the places where servers cut.
 */
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
    // The text is harmless and its format was accepted, so only its length can be the reason.
    if (error instanceof WindowTooSmall || error instanceof PromptRefused) {
      const windowTokens = error instanceof WindowTooSmall ? error.windowTokens : undefined
      return { verdict: 'cut', windowTokens, usage: NO_USAGE }
    }
    throw error
  }
}

/**
 * Puts words where servers cut: some drop the beginning of the text, others whole messages after the first one, others
 * the end.
 */
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

/** Turns a text into one of about as many tokens without any meaning, because a prompt holds untrusted text. */
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
