/** Waits until all work has settled, or for at most `milliseconds`. Unfinished work continues in the background. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>[]): Promise<void> {
  if (work.length === 0) return
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([Promise.allSettled(work), timeout])
  clearTimeout(timer)
}
