export interface Line {
  sign: '+' | '-' | ' '
  /** The line number before the change; null for an added line. */
  old: number | null
  /** The line number after the change; null for a removed line. */
  new: number | null
  text: string
}

export interface Hunk {
  /** The context that git prints at the end of a hunk header, such as the enclosing function. */
  heading: string
  lines: Line[]
}

export type Side = 'old' | 'new'

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s

/**
 * Parses the hunks of one file. The counts in the header determine where a hunk ends, so that a line of the file that
 * looks like a diff header stays a line of the file.
 */
export function hunksOf(section: string): Hunk[] {
  const hunks: Hunk[] = []
  let lines: Line[] | undefined
  let left = { old: 0, new: 0 }
  let next = { old: 0, new: 0 }
  const length = section.endsWith('\n') ? section.length - 1 : section.length
  for (let start = 0, end = 0; start <= length; start = end + 1) {
    end = section.indexOf('\n', start)
    if (end === -1 || end > length) end = length
    if (!lines || (left.old <= 0 && left.new <= 0)) {
      const header = section.startsWith('@@ ', start) && HEADER.exec(section.slice(start, end))
      if (!header) continue
      next = { old: Number(header[1]), new: Number(header[3]) }
      left = { old: Number(header[2] ?? 1), new: Number(header[4] ?? 1) }
      lines = []
      hunks.push({ heading: header[5] ?? '', lines })
      continue
    }
    const mark = start < end ? section[start] : ' '
    // Skip "\ No newline at end of file", which is not a line.
    if (mark === '\\') continue
    const sign = mark === '+' || mark === '-' ? mark : ' '
    lines.push({
      sign,
      old: sign === '+' ? null : next.old,
      new: sign === '-' ? null : next.new,
      text: section.slice(start + 1, Math.max(end, start + 1)),
    })
    if (sign !== '+') {
      next.old += 1
      left.old -= 1
    }
    if (sign !== '-') {
      next.new += 1
      left.new -= 1
    }
  }
  return hunks
}

/**
 * Removes the carriage returns at the ends of lines if all lines have one. If only some do, the change may be about
 * them.
 */
export function withoutCarriageReturns(hunks: Hunk[]): Hunk[] {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  // The last line of the old file and that of the new file may have no line end.
  const last = [lines.findLast((line) => line.old !== null), lines.findLast((line) => line.new !== null)]
  if (!lines.every((line) => line.text.endsWith('\r') || last.includes(line))) return hunks
  return hunks.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, '') })),
  }))
}

/** The side that a line belongs to. An unchanged line is on both sides and counts as part of the new file. */
export function sideOf({ sign }: Pick<Line, 'sign'>): Side {
  return sign === '-' ? 'old' : 'new'
}

/** The number of a line on the side that `sideOf` returns. */
export function numberOf(line: Line): number {
  return line.new ?? line.old ?? 0
}
