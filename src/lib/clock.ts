/**
 * How far the clocks of nodes may differ. A time further in the future comes from a wrong clock and is ignored, or it would
 * keep data fresh until then.
 */
export const CLOCK_TOLERANCE_MS = 60_000

/** Whether something happened within the last `milliseconds`. */
export function isRecent(time: Date, now: Date, milliseconds: number): boolean {
  const age = now.getTime() - time.getTime()
  return age < milliseconds && age >= -CLOCK_TOLERANCE_MS
}

/** Whether a time that is set at most `milliseconds` ahead is still in the future. */
export function isPending(time: Date, now: Date, milliseconds: number): boolean {
  return isRecent(new Date(time.getTime() - milliseconds), now, milliseconds)
}
