import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base'
import type { ServerRequest } from './rule.ts'

/** Overhead of a message besides its text. */
const MESSAGE_TOKENS = 4
const AS_TEXT = { disallowedSpecial: new Set<string>() }

const MAX_TEXTS = 200
const known = new Map<string, number[]>()

/** Remembers the tokens of texts, because rules count the same prompts again and again. */
function tokensOf(text: string): number[] {
  const tokens = known.get(text) ?? encode(text, AS_TEXT)
  if (known.size >= MAX_TEXTS) known.clear()
  known.set(text, tokens)
  return tokens
}

/** Counts tokens like the model of a server, whose counts may differ from those of o200k by a factor. */
export type Tokenizer = ReturnType<typeof createTokenizer>

export function createTokenizer(factor: number) {
  const count = (text: string) => Math.ceil(tokensOf(text).length * factor)
  const countMessages = (messages: ServerRequest['messages']) =>
    messages.reduce((sum, { content }) => sum + count(content) + MESSAGE_TOKENS, 0)

  return {
    count,
    countMessages,
    /**
     * Drops the beginning of the messages, so that the rest fits. With `keepsSystem`, keeps the system message whole.
     */
    lastMessages(messages: ServerRequest['messages'], maxTokens: number, keepsSystem: boolean) {
      const [first, ...rest] = messages
      const kept = keepsSystem && first?.role === 'system' ? [first] : []
      let left = maxTokens - countMessages(kept)
      const last: typeof messages = []
      for (const message of (kept.length > 0 ? rest : messages).toReversed()) {
        const tokens = tokensOf(message.content)
        const fitting = Math.floor((left - MESSAGE_TOKENS) / factor)
        if (fitting <= 0) break
        last.unshift({ ...message, content: decode(tokens.slice(-fitting)) })
        left -= Math.ceil(Math.min(tokens.length, fitting) * factor) + MESSAGE_TOKENS
      }
      return [...kept, ...last]
    },
  }
}
