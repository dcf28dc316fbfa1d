/** Callers that ask for the same key while it is under way share one run. */
export function singleFlight<T>(): (key: string, start: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<T>>()
  return (key, start) => {
    const under = flights.get(key)
    if (under) return under
    const flight = start().finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }
}
