import { clip } from '../../lib/clip.ts'
import type { ChangedFile } from './changedFiles.ts'
import { type Hunk, type Line, withoutCarriageReturns } from './hunks.ts'
import { type Mask, maskHunks } from './mask.ts'
import { visible } from './visible.ts'

/** A file as shown to the model. Its lines are masked, and every character of them is visible. */
export interface RenderedFile {
  file: ChangedFile
  hunks: Hunk[]
  /** Whether any line was cut. */
  clipped: boolean
  /** The number of digits of the largest line number. */
  width: number
}

const MAX_LINE = 400
/**
 * Secrets are searched in this many characters of a line, more than are shown, so that a secret at the cut is still
 * recognized.
 */
const MAX_MASKED = 2000
const CUT = '… (cut)'

/** Renders at most `maxLines` lines of a file. */
export async function render(file: ChangedFile, mask: Mask, maxLines: number): Promise<RenderedFile> {
  const showable = withoutCarriageReturns(firstLines(file.hunks, maxLines))
  const lines = showable.flatMap((hunk) => hunk.lines)
  const searched = showable.map((hunk) => ({
    heading: hunk.heading.replace(/\r$/, '').slice(0, MAX_MASKED),
    lines: hunk.lines.map((line) => ({ ...line, text: clip(line.text, MAX_MASKED).text })),
  }))
  const largest = lines.reduce((max, line) => Math.max(max, line.old ?? 0, line.new ?? 0), 1)
  let clipped = lines.some(({ text }) => text.length > MAX_MASKED)
  const toVisible = (text: string) => visible(clip(text, MAX_LINE + 2).text).replaceAll('\n', '⟨U+000A⟩')
  const hunks = (await maskHunks(searched, mask)).map((hunk) => ({
    heading: toVisible(hunk.heading).slice(0, MAX_LINE),
    lines: hunk.lines.map((line) => {
      const text = toVisible(line.text)
      if (text.length <= MAX_LINE) return { ...line, text }
      clipped = true
      return { ...line, text: `${clip(text, MAX_LINE).text}${CUT}` }
    }),
  }))
  return { file, hunks, clipped, width: String(largest).length }
}

function firstLines(hunks: Hunk[], maxLines: number): Hunk[] {
  let left = maxLines
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left))
    left -= hunk.lines.length
    return lines.length > 0 ? [{ ...hunk, lines }] : []
  })
}

/** A line as printed in a prompt: the number before the change, the number after it, the sign and the text. */
export function numberedLine({ sign, old, new: after, text }: Line, width: number): string {
  const column = (number: number | null) => String(number ?? '').padStart(width)
  return `${column(old)} ${column(after)} ${sign} ${text.replaceAll('\t', '  ')}`.trimEnd()
}

export function headingOf({ name, status }: ChangedFile): string {
  return `## File: ${name} (${status})`
}
