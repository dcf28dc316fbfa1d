/** The longest turn of the event loop in CPU time, which is independent of other load on the machine. */
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
