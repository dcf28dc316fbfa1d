export interface TtlCache<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
}

/** Remembers each thing for a while, and the newest `most` of them at all. */
export function ttlCache<T>(now: () => Date, milliseconds: number, most: number): TtlCache<T> {
  const remembered = new Map<string, { value: T; until: number }>()
  return {
    get(key) {
      const entry = remembered.get(key)
      return entry && entry.until > now().getTime() ? entry.value : undefined
    },
    set(key, value) {
      remembered.delete(key)
      remembered.set(key, { value, until: now().getTime() + milliseconds })
      const [oldest] = remembered.keys()
      if (remembered.size > most && oldest !== undefined) remembered.delete(oldest)
    },
    delete: (key) => void remembered.delete(key),
  }
}
