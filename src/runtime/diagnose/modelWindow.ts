import type { AskModel } from '../../model/call.ts'
import { sendCanary } from '../../model/checkWindow.ts'
import { WindowTooSmall } from '../../model/errors.ts'
import type { ModelConfig } from '../config/config.ts'
import type { Finding } from './finding.ts'

export const PART = 'model'
/**
 * If the model counts at least this share of the tokens, it probably read the prompt whole. Tokenizers differ, so this
 * is no proof that nothing was cut.
 */
const LIKELY_WHOLE = 0.8
const FILLER = 'and the sun is warm on the old stone wall\n'
/** The average number of tokens of a line of FILLER after `sendCanary` has shuffled it. */
const FILLER_TOKENS = 10.3

/** Checks whether the model reads a prompt of full length whole. */
export async function checkFull(
  ask: AskModel,
  config: ModelConfig,
  name: string,
  signal: AbortSignal,
): Promise<Finding> {
  const { tokensPerCall, outputTokensPerCall } = config
  const half = FILLER.repeat(Math.round(tokensPerCall / FILLER_TOKENS / 2))
  const messages = [
    { role: 'system' as const, content: half },
    { role: 'user' as const, content: half },
  ]
  const call = { model: name, messages, promptTokens: tokensPerCall, maxOutputTokens: outputTokensPerCall, signal }
  const { verdict, windowTokens = 0 } = await sendCanary(ask, call)
  if (verdict === 'whole')
    return { part: PART, state: 'ok', found: `${name} reads prompts of ${tokensPerCall} tokens whole.` }
  if (verdict === 'unclear' && windowTokens >= LIKELY_WHOLE * tokensPerCall)
    return unclear(name, tokensPerCall, windowTokens)
  return windowTooSmall(name, new WindowTooSmall(tokensPerCall, windowTokens || undefined))
}

function unclear(name: string, tokens: number, counted: number): Finding {
  const message = `${name} counts ${counted} tokens of a prompt of ${tokens}, but does not repeat the words at its ends.`
  const remedy = 'Lower MODEL_TOKENS_PER_CALL, or choose a model that reads long prompts.'
  return { part: PART, state: 'advice', found: message, remedy }
}

export function windowTooSmall(name: string, { promptTokens, windowTokens }: WindowTooSmall): Finding {
  const read = windowTokens === undefined ? 'less' : `${windowTokens}`
  return broken(
    `${name} does not read prompts of ${promptTokens} tokens whole, but ${read}.`,
    'Give the model a larger context window (Ollama: OLLAMA_CONTEXT_LENGTH), or lower MODEL_TOKENS_PER_CALL.',
  )
}

export function broken(message: string, remedy: string): Finding {
  return { part: PART, state: 'broken', found: message, remedy }
}
