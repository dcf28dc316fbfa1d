import type { ChangedFile } from './changedFiles.ts'
import type { Hunk, Line } from './hunks.ts'
import { type Mask, maskHunks } from './mask.ts'
import { visibleLine } from './visible.ts'

/** A file as shown to the model: every line has its number on its own side, so that it can be cited. */
export interface RenderedFile {
  file: ChangedFile
  hunks: RenderedHunk[]
  /** Whether a line was cut. */
  clipped: boolean
}

export interface RenderedHunk {
  heading: string
  lines: RenderedLine[]
}

export interface RenderedLine {
  line: Line
  text: string
}

const MAX_LINE = 400
/** Secrets are searched in more of a line than is shown, so that the cut does not hide a secret from the search. */
const MAX_MASKED = 2000

/** Renders at most `maxLines` lines of a file. */
export async function render(file: ChangedFile, mask: Mask, maxLines: number): Promise<RenderedFile> {
  const showable = firstLines(file.hunks, maxLines)
  const lines = showable.flatMap((hunk) => hunk.lines)
  const hasCarriageReturns = lines.length > 0 && lines.every(({ text }) => text.endsWith('\r'))
  const searched = showable.map((hunk) => ({
    heading: hunk.heading.replace(/\r$/, '').slice(0, MAX_MASKED),
    lines: hunk.lines.map((line) => {
      const text = hasCarriageReturns ? line.text.slice(0, -1) : line.text
      return { ...line, text: cutAt(MAX_MASKED, text) }
    }),
  }))
  const width = String(lines.reduce((max, { number }) => Math.max(max, number), 1)).length
  let clipped = lines.some(({ text }) => text.length > MAX_MASKED)
  const shown = (text: string) => visibleLine(cutAt(MAX_LINE + 2, text))
  const hunks = (await maskHunks(searched, mask)).map((hunk) => ({
    heading: `@@ ${shown(hunk.heading).slice(0, MAX_LINE)}`.trimEnd(),
    lines: hunk.lines.map((line) => {
      const text = shown(line.text)
      if (text.length > MAX_LINE) clipped = true
      return { line, text: numbered(line, width, text) }
    }),
  }))
  return { file, hunks, clipped }
}

function firstLines(hunks: Hunk[], maxLines: number): Hunk[] {
  let left = maxLines
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left))
    left -= hunk.lines.length
    return lines.length > 0 ? [{ ...hunk, lines }] : []
  })
}

function numbered({ sign, number }: Line, width: number, text: string): string {
  const shown = text.length > MAX_LINE ? `${cutAt(MAX_LINE, text)}… (cut)` : text
  return `${String(number).padStart(width + 2)} ${sign} ${shown}`.trimEnd()
}

/** Never cuts inside a surrogate pair. */
function cutAt(maxLength: number, text: string): string {
  const cut = text.slice(0, maxLength)
  return cut.length === text.length || cut.isWellFormed() ? cut : cut.slice(0, -1)
}

export function headingOf({ name, status }: ChangedFile): string {
  return `## File: ${name} (${status})`
}
