export interface Line {
  sign: '+' | '-' | ' '
  /** On the line's own side: before the change for what was removed, after it for the rest. */
  number: number
  text: string
}

export interface Hunk {
  /** What git found around it, such as the function it is in. */
  heading: string
  lines: Line[]
}

export type Side = 'old' | 'new'

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s

/**
 * The hunks of one file's section of a diff. A hunk ends where its own counts say, so that a line of the file that looks
 * like a header of the diff stays a line of the file.
 */
export function hunksOf(section: string): Hunk[] {
  const hunks: Hunk[] = []
  let left = { old: 0, new: 0 }
  let next = { old: 0, new: 0 }
  for (const row of section.replace(/\n$/, '').split('\n')) {
    const hunk = hunks.at(-1)
    if (!hunk || (left.old <= 0 && left.new <= 0)) {
      const header = HEADER.exec(row)
      if (!header) continue
      next = { old: Number(header[1]), new: Number(header[3]) }
      left = { old: Number(header[2] ?? 1), new: Number(header[4] ?? 1) }
      hunks.push({ heading: header[5] ?? '', lines: [] })
      continue
    }
    // A line without a newline at its end is followed by a remark, which is no line.
    if (row.startsWith('\\')) continue
    const sign = row[0] === '+' || row[0] === '-' ? row[0] : ' '
    hunk.lines.push({ sign, number: sign === '-' ? next.old : next.new, text: row.slice(1) })
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

export function sideOf({ sign }: Line): Side {
  return sign === '-' ? 'old' : 'new'
}
