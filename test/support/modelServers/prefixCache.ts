import type { Rule, ServerRequest } from './rule.ts'
import type { Tokenizer } from './tokenizer.ts'

const MIN_CACHED_TOKENS = 1024
const CACHE_STEP_TOKENS = 128
const MAX_PROMPTS = 50

/**
 * Reports how many tokens at the beginning of a prompt are cached, because an earlier one began with them. Only prompts
 * with the same response format share a beginning, because the format precedes the messages.
 */
export function prefixCache(): Rule {
  const cachedTokens = createPrefixCache()
  return {
    reply(reply, { request }, tokenizer) {
      const cached_tokens = cachedTokens(request, tokenizer)
      return { ...reply, usage: reply.usage && { ...reply.usage, prompt_tokens_details: { cached_tokens } } }
    },
  }
}

/** Reports prompt_tokens without the cached tokens. Most such servers do not report how many tokens were cached. */
export function countsNewTokens({ tellsCached = false } = {}): Rule {
  const cachedTokens = createPrefixCache()
  return {
    reply(reply, { request }, tokenizer) {
      const cached_tokens = cachedTokens(request, tokenizer)
      if (!reply.usage) return reply
      const prompt_tokens = Math.max(0, reply.usage.prompt_tokens - cached_tokens)
      const usage = { ...reply.usage, prompt_tokens, total_tokens: prompt_tokens + reply.usage.completion_tokens }
      return { ...reply, usage: { ...usage, ...(tellsCached && { prompt_tokens_details: { cached_tokens } }) } }
    },
  }
}

function createPrefixCache() {
  const seen: { format: string; text: string }[] = []
  return ({ model, response_format, messages }: ServerRequest, { count }: Tokenizer): number => {
    const format = JSON.stringify([model, response_format])
    const text = messages.map(({ role, content }) => `${role}\n${content}`).join('\n')
    const shared = seen
      .filter((earlier) => earlier.format === format)
      .reduce((most, earlier) => Math.max(most, sharedLength(earlier.text, text)), 0)
    seen.unshift({ format, text })
    seen.length = Math.min(seen.length, MAX_PROMPTS)
    const tokens = shared === 0 ? 0 : Math.floor(count(text.slice(0, shared)) / CACHE_STEP_TOKENS) * CACHE_STEP_TOKENS
    return tokens >= MIN_CACHED_TOKENS ? tokens : 0
  }
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
