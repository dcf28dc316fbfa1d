const INTERVAL_MS = 1000
/** About the length of an article. */
const TYPICAL_CHARACTERS = 6000

/** The part of an answer that has arrived, estimated: its length is known only at its end. */
export function shareWritten(characters: number): number {
  return 1 - Math.exp(-characters / TYPICAL_CHARACTERS)
}

/** Runs reports at most once a second and one at a time; the others are dropped, as a later one says more. */
export function createThrottle() {
  let lastAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  return {
    offer(report: () => Promise<void>): void {
      if (running || performance.now() - lastAt < INTERVAL_MS) return
      lastAt = performance.now()
      // An error ends the job at the next report of a stage, which meets it too.
      running = report()
        .catch(() => {})
        .finally(() => {
          running = undefined
        })
    },
    /** A report that is under way must not overwrite the stage that follows. */
    settled: async () => running,
  }
}
