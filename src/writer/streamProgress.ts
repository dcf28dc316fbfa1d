const INTERVAL_MS = 1000
/** The approximate length of an article. */
const TYPICAL_CHARACTERS = 9000

/** Estimates the share of an answer that has arrived, because its total length is not known before the end. */
export function shareWritten(characters: number): number {
  return 1 - Math.exp(-characters / TYPICAL_CHARACTERS)
}

/** Runs at most one report per second and one at a time. Drops the others, because a later report replaces them. */
export function createThrottle() {
  let lastAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  return {
    offer(report: () => Promise<void>): void {
      if (running || performance.now() - lastAt < INTERVAL_MS) return
      lastAt = performance.now()
      // Ignore errors, because the next report of a stage fails with the same error and ends the job.
      running = report()
        .catch(() => {})
        .finally(() => {
          running = undefined
        })
    },
    /**
     * Waits until no report is running. To be called before the next stage, so that a report cannot overwrite that
     * stage.
     */
    settled: async () => running,
  }
}
