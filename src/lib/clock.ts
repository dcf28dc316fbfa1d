/**
 * By how much the clocks of nodes may differ. A time further ahead was written by a clock that was wrong. It counts for
 * nothing, or it would keep something fresh until that time comes.
 */
export const CLOCK_TOLERANCE_MS = 60_000

/** Whether something happened within the last `milliseconds`. */
export function isRecent(time: Date, now: Date, milliseconds: number): boolean {
  const age = now.getTime() - time.getTime()
  return age < milliseconds && age >= -CLOCK_TOLERANCE_MS
}

/** Whether a time is still to come, of those that are set at most `milliseconds` in advance. */
export function isPending(time: Date, now: Date, milliseconds: number): boolean {
  return isRecent(new Date(time.getTime() - milliseconds), now, milliseconds)
}
