import { type Hunk, type Line, numberOf } from './hunks.ts'
import { numberedLine } from './render.ts'

/** A run of fewer similar lines is printed in full. */
const MIN_RUN = 12
const FIRST_LINES = 5
const LAST_LINES = 2

/** The lines of a hunk as printed in a prompt. Long runs of similar changed lines, such as data tables, are condensed. */
export function printHunk({ heading, lines }: Hunk, width: number): string[] {
  const printed = [`@@ ${heading}`.trimEnd()]
  for (const run of runsOf(lines)) {
    if (run.length < MIN_RUN) printed.push(...run.map((line) => numberedLine(line, width)))
    else printed.push(...condensed(run, width))
  }
  return printed
}

function condensed(run: Line[], width: number): string[] {
  const omitted = run.slice(FIRST_LINES, -LAST_LINES)
  const [first, last] = [omitted[0], omitted.at(-1)].map((line) => (line ? numberOf(line) : 0))
  return [
    ...run.slice(0, FIRST_LINES).map((line) => numberedLine(line, width)),
    `${' '.repeat(2 * width + 2)}… ${omitted.length} more lines like these, numbers ${first} to ${last}`,
    ...run.slice(-LAST_LINES).map((line) => numberedLine(line, width)),
  ]
}

/** Splits lines into runs of the same sign and shape. Context lines and empty lines stand alone. */
function runsOf(lines: Line[]): Line[][] {
  const runs: Line[][] = []
  let shape = ''
  for (const line of lines) {
    const own = line.sign === ' ' ? '' : shapeOf(line)
    if (own !== '' && own === shape) runs.at(-1)?.push(line)
    else runs.push([line])
    shape = own
  }
  return runs
}

/** The line without its words, numbers and strings; empty for lines without any punctuation. */
function shapeOf({ sign, text }: Line): string {
  const punctuation = text
    .trim()
    .replace(/"[^"]*"|'[^']*'/g, 'w')
    .replace(/[\p{L}\p{N}_]+/gu, 'w')
  return /[^\sw]/.test(punctuation) ? `${sign}${punctuation}` : ''
}
