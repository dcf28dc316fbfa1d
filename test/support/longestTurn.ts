/** The longest turn of the event loop while something is done, in CPU time: a busy machine does not make it longer. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  let isDone = false
  let before = process.threadCpuUsage()
  const measure = () => {
    const { user, system } = process.threadCpuUsage(before)
    longestMs = Math.max(longestMs, (user + system) / 1000)
    before = process.threadCpuUsage()
    if (!isDone) setImmediate(measure)
  }
  setImmediate(measure)
  await work().finally(() => {
    isDone = true
  })
  return longestMs
}
