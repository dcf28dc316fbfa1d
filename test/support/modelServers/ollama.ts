import type { Rule } from './rule.ts'

interface Cutting {
  window?: number
  keepsSystem?: boolean
  /** Newer builds keep half a window of a prompt that is too long, to leave room for the answer. */
  keepsHalf?: boolean
}

/** Drops the beginning of prompts that are longer than the window, and answers with status 200 without reporting it. */
export function cutsPrompts({ window = 4096, keepsSystem = false, keepsHalf = false }: Cutting = {}): Rule {
  const kept = keepsHalf ? Math.floor(window / 2) + 2 : window
  return {
    read(reading, tokenizer) {
      if (tokenizer.countMessages(reading.messages) <= window) return reading
      return { ...reading, messages: tokenizer.lastMessages(reading.messages, kept, keepsSystem), isCut: true }
    },
  }
}

/** Drops the oldest messages after the system message until the rest fits, but never the last one. */
export function dropsMessages(window: number): Rule {
  return {
    read(reading, tokenizer) {
      const [system, ...rest] = reading.messages
      if (!system) return reading
      const isTooLong = () => tokenizer.countMessages([system, ...rest]) > window
      while (rest.length > 1 && isTooLong()) rest.shift()
      return { ...reading, messages: [system, ...rest], isCut: rest.length + 1 < reading.messages.length }
    },
  }
}

/** Ollama: the default window depends on the memory of the GPU, and requests in the OpenAI protocol cannot set it. */
export function ollama(cutting: Cutting = {}): Rule[] {
  return [cutsPrompts(cutting)]
}
