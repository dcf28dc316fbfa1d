import type { Line, Side } from '../reading/hunks.ts'
import type { RenderedFile } from '../reading/render.ts'

/** The lines that the model was shown, by the name of the file. */
export type ShownLines = Map<string, Line[]>

export function shownLinesOf(rendered: RenderedFile[]): ShownLines {
  const linesByFile: ShownLines = new Map()
  for (const { file, hunks } of rendered) {
    const lines = hunks.flatMap((hunk) => hunk.lines)
    linesByFile.set(file.name, [...(linesByFile.get(file.name) ?? []), ...lines])
  }
  return linesByFile
}

/** The lines of one side with these numbers, in order. */
export function linesBetween(
  lines: Line[],
  side: Side,
  start: number,
  end: number,
): { number: number; text: string }[] {
  const numbered = lines.flatMap((line) => {
    const number = line[side]
    return number !== null && number >= start && number <= end ? [{ number, text: line.text }] : []
  })
  return numbered.toSorted((a, b) => a.number - b.number)
}
