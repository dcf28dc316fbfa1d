import type { ChangedFile, Mask } from './changedFiles.ts'
import type { Hunk, Line } from './hunks.ts'
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
  const plain = lines.map(({ text }) => cutAt(MAX_MASKED, hasCarriageReturns ? text.slice(0, -1) : text))
  const headings = showable.map(({ heading }) => heading.replace(/\r$/, '').slice(0, MAX_MASKED))
  const masked = await mask([...plain, ...headings])
  const width = String(lines.reduce((max, { number }) => Math.max(max, number), 1)).length
  let clipped = false
  let at = 0
  const hunks = showable.map((hunk, i) => ({
    heading: `@@ ${visibleLine(cutAt(MAX_LINE + 2, masked[lines.length + i] ?? '')).slice(0, MAX_LINE)}`.trimEnd(),
    lines: hunk.lines.map((line) => {
      const text = visibleLine(cutAt(MAX_LINE + 2, masked[at] ?? ''))
      at += 1
      if (text.length > MAX_LINE || line.text.length > MAX_MASKED) clipped = true
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
