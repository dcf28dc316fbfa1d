/** Concurrent calls with the same key share one run. */
export function singleFlight<T>(): (key: string, start: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<T>>()
  return (key, start) => {
    const running = flights.get(key)
    if (running) return running
    const flight = start().finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }
}

/**
 * Calls during a run with the same key share the next run, because the current run may have read its data before the
 * change that the call is about.
 */
export function trailingFlight(): (key: string, start: () => Promise<void>) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Promise<void>>()
  function run(key: string, start: () => Promise<void>): Promise<void> {
    const flight = start().finally(() => running.delete(key))
    running.set(key, flight)
    return flight
  }
  async function runAfter(current: Promise<void>, key: string, start: () => Promise<void>): Promise<void> {
    await current.catch(() => {})
    waiting.delete(key)
    return running.get(key) ?? run(key, start)
  }
  return (key, start) => {
    const current = running.get(key)
    if (!current) return run(key, start)
    const next = waiting.get(key) ?? runAfter(current, key, start)
    waiting.set(key, next)
    return next
  }
}
