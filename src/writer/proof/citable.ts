import type { Citation } from '../draft.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Side } from '../reading/hunks.ts'
import type { RenderedFile } from '../reading/render.ts'

/** Valid citation targets: the lines shown to the model, and whole files that have no lines. */
export interface Citable {
  files: Map<string, ChangedFile>
  shown: Map<string, Record<Side, Shown>>
}

/** Maps each shown line number to the last number of the run without gaps that contains it. */
type Shown = Map<number, number>

export function citableIn(files: ChangedFile[], shown: RenderedFile[]): Citable {
  const citable: Citable = { files: new Map(files.map((file) => [file.name, file])), shown: new Map() }
  const byName = Map.groupBy(shown, ({ file }) => file.name)
  for (const [name, rendered] of byName) {
    const lines = rendered.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
    const shownOf = (side: Side) => lastOfRuns(lines.map((line) => line[side]).filter((number) => number !== null))
    citable.shown.set(name, { old: shownOf('old'), new: shownOf('new') })
  }
  return citable
}

function lastOfRuns(numbers: number[]): Shown {
  const last: Shown = new Map()
  for (const number of numbers.toSorted((a, b) => b - a)) last.set(number, last.get(number + 1) ?? number)
  return last
}

/** The valid citation with the real path of the file, or an error message. */
export function provenCitation(citable: Citable, cited: Citation): Citation | string {
  const name = cited.path.trim()
  const file = citable.files.get(name)
  if (!file) return `\`${name}\` is not a changed file of this pull request`
  if (!file.hasHunks) return wholeFile(file)
  const lines = citable.shown.get(name)?.[cited.side]
  if (!lines) return `the lines of \`${name}\` were not shown, so nothing can be said of them`
  // Models answer 0 for a missing line number. If only one number is given, use it for both.
  const start = cited.startLine || cited.endLine
  const end = cited.endLine || cited.startLine
  if (!start || !end) return `\`${name}\` has numbered lines: cite which`
  if (start > end) return `lines ${start} to ${end} of \`${name}\` run backwards`
  if ((lines.get(start) ?? 0) < end) return outside(name, cited)
  return { path: file.path, side: cited.side, startLine: start, endLine: end }
}

function outside(name: string, { side, startLine, endLine }: Citation): string {
  const range = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`
  return `${range} of \`${name}\` on the ${side} side are not all among the numbered lines`
}

/** The citation of a file that has no lines. */
export function wholeFile({ path, status }: ChangedFile): Citation {
  return { path, side: status === 'removed' ? 'old' : 'new', startLine: null, endLine: null }
}
