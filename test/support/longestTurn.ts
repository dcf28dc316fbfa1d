import { expect } from 'vitest'

const MAX_TRIES = 3

/** The longest turn of the event loop during `work`, in CPU time, which is independent of other load on the machine. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  let isDone = false
  let before = process.threadCpuUsage()
  const measure = () => {
    const { user, system } = process.threadCpuUsage(before)
    longestMs = Math.max(longestMs, (user + system) / 1000)
    before = process.threadCpuUsage()
    if (!isDone) measureNextTurn()
  }
  // Unreferenced, so that it runs at the end of a turn but does not start one: otherwise, an idle event loop would spin.
  const measureNextTurn = () => setImmediate(measure).unref()
  measureNextTurn()
  await work().finally(() => {
    isDone = true
  })
  return longestMs
}

/**
 * Expects no turn of the event loop during `work` to reach `maxMs`. Repeats work with a turn that is too long: garbage
 * collection for other tests lengthens a single turn, but work that blocks the event loop blocks it every time.
 */
export async function expectShortTurns(maxMs: number, work: () => Promise<unknown>): Promise<void> {
  let longestMs = await longestTurnMs(work)
  for (let tries = 1; longestMs >= maxMs && tries < MAX_TRIES; tries++)
    longestMs = Math.min(longestMs, await longestTurnMs(work))
  expect(longestMs).toBeLessThan(maxMs)
}
