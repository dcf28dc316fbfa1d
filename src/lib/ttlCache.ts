export interface TtlCache<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
}

/** Map with at most `maxEntries` entries, each expiring after `ttlMs`. */
export function ttlCache<T>(now: () => Date, ttlMs: number, maxEntries: number): TtlCache<T> {
  const entries = new Map<string, { value: T; expiresAt: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      return entry && entry.expiresAt > now().getTime() ? entry.value : undefined
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, { value, expiresAt: now().getTime() + ttlMs })
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
    },
    delete: (key) => void entries.delete(key),
  }
}
