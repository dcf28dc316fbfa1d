import type { Exchange } from './exchange.ts'

/** Calls of tools that wait, by caller and id of the message: clients of versions before 2026-07-28 cancel a call with another message. */
export interface Waits {
  /** Returns a function that removes it. */
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
      // Two clients may share a token and number their messages alike. Then it is unknown which one is meant.
      if (only && others.length === 0) only.close()
    },
  }
}
