import type { Exchange } from './exchange.ts'

/**
 * The tool calls that are still waiting, by caller and message id. Clients of protocol versions before 2026-07-28
 * cancel a call by sending another message.
 */
export interface Waits {
  /** Adds a call. Returns a function that removes it. */
  add(key: string, exchange: Exchange): () => void
  cancel(key: string): void
}

export function createWaits(): Waits {
  const open = new Map<string, Set<Exchange>>()
  return {
    add(key, exchange) {
      const exchanges = open.get(key) ?? new Set()
      open.set(key, exchanges.add(exchange))
      return () => {
        exchanges.delete(exchange)
        if (exchanges.size === 0) open.delete(key)
      }
    },
    cancel(key) {
      const [only, ...others] = open.get(key) ?? []
      // Two clients may share a token and use the same message id. Then no call is closed.
      if (only && others.length === 0) only.close()
    },
  }
}
