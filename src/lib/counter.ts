/** Counts per key and in total. */
export class Counter {
  readonly #counts = new Map<string, number>()
  total = 0

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, amount: number): void {
    const count = this.of(key) + amount
    this.total += amount
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}
