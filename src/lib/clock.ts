/**
 * The clocks of two nodes differ by less than this, because each follows the database's clock. A stored time further in
 * the future comes from a clock that was wrong. Such a time is ignored: otherwise, data would count as fresh until
 * then.
 */
export const MAX_CLOCK_ERROR_MS = 1000

/** Whether something happened within the last `milliseconds`. */
export function isRecent(time: Date, now: Date, milliseconds: number): boolean {
  const age = now.getTime() - time.getTime()
  return age < milliseconds && age >= -MAX_CLOCK_ERROR_MS
}

/** Whether a time that is set at most `milliseconds` ahead is still in the future. */
export function isPending(time: Date, now: Date, milliseconds: number): boolean {
  return isRecent(new Date(time.getTime() - milliseconds), now, milliseconds)
}
