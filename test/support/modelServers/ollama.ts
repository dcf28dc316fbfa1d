import type { Rule } from './rule.ts'

/** Drops the beginning of prompts that are longer than the window, with status 200 and no word about it. */
export function cutsPrompts({ window = 4096, keepsSystem = false } = {}): Rule {
  return {
    read(reading, tokenizer) {
      if (tokenizer.countMessages(reading.messages) <= window) return reading
      return { ...reading, messages: tokenizer.lastMessages(reading.messages, window, keepsSystem), isCut: true }
    },
  }
}

/** Ollama: the default window depends on the memory of the GPU, and this protocol cannot set it. */
export function ollama(window: { window?: number; keepsSystem?: boolean } = {}): Rule[] {
  return [cutsPrompts(window)]
}
