/** Waits for all of the work, but only so long. What is not done by then goes on by itself. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>[]): Promise<void> {
  if (work.length === 0) return
  const { promise: patience, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([Promise.allSettled(work), patience])
  clearTimeout(timer)
}
