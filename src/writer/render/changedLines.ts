import type { StoredContent } from '../content.ts'
import type { PullRequestDocument } from '../facts/document.ts'
import { splitDiff } from '../facts/splitDiff.ts'
import { hunksOf, numberOf, type Side, sideOf } from '../reading/hunks.ts'

/** Whether the change removed this line of the old file, or added this line of the new one. */
export type IsChanged = (side: Side, path: string, line: number) => boolean

/** Looks up the lines that code figures show. Parses only the sections of their files. */
export function changedLinesOf(
  { mainChanges }: StoredContent,
  { files, diff }: Pick<PullRequestDocument, 'files' | 'diff'>,
): IsChanged {
  const code = mainChanges.flatMap(({ figures }) => figures.filter((figure) => figure.kind === 'code'))
  const paths = new Set(code.flatMap(({ before, after }) => [before, after].flatMap((side) => side?.path ?? [])))
  if (paths.size === 0) return () => false
  const sections = splitDiff(diff)
  // A new file may have the path that another file was moved away from. Current paths come last, so that they win.
  const formerPaths = files.map(({ previousPath }, i) => [previousPath, i] as const)
  const places = new Map([...formerPaths, ...files.map(({ path }, i) => [path, i] as const)])
  const changed = new Map([...paths].map((path) => [path, numbersIn(sections[places.get(path) ?? -1] ?? '')]))
  return (side, path, line) => changed.get(path)?.[side].has(line) ?? false
}

function numbersIn(section: string): Record<Side, Set<number>> {
  const numbers = { old: new Set<number>(), new: new Set<number>() }
  for (const { lines } of hunksOf(section))
    for (const line of lines) if (line.sign !== ' ') numbers[sideOf(line)].add(numberOf(line))
  return numbers
}
