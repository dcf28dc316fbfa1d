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
