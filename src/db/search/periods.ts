/** Lengths of periods in seconds, as exponents of two: each is eight times the one before, from an hour to half a year. */
const EXPONENTS = [12, 15, 18, 21, 24]
/** A range of time is split into at least this many periods. Fewer, longer periods would extend too far past its ends. */
const MIN_PERIODS = 4

export interface TimeRange {
  /** Included. */
  from: Date
  /** Not included. */
  to: Date
}

/**
 * The keys of the periods that cover a range of time. The column `keys` holds the keys of the periods that a text is
 * in.
 */
export function periodKeys({ from, to }: TimeRange): number[] {
  const [first, last] = [from.getTime() / 1000, to.getTime() / 1000]
  const fitting = EXPONENTS.filter((exponent) => (last - first) / 2 ** exponent >= MIN_PERIODS)
  const exponent = fitting.at(-1) ?? (EXPONENTS[0] as number)
  const number = (seconds: number) => Math.floor(seconds / 2 ** exponent)
  const count = number(last) - number(first) + 1
  return Array.from({ length: count }, (_, i) => -(exponent * 2 ** 32 + number(first) + i))
}
