import type { ChangedFile } from './changedFiles.ts'
import type { CoveredFile } from './coverage.ts'
import type { Count } from './tokens.ts'
import { visibleLine } from './visible.ts'

/**
 * The list of every changed file, in the most telling form that fits: a line each, else names by folder, else folders
 * with how many files each holds. No file goes unaccounted for.
 */
export function manifest(files: ChangedFile[], covered: Map<string, CoveredFile>, most: number, count: Count): string {
  const forms = [
    () => files.map((file) => rowOf(file, covered.get(file.path))).join('\n'),
    () => byFolder(files, (inside) => inside.map(({ name }) => name.split('/').at(-1)).join(', ')),
    () => byFolder(files, summed),
    () => foldedTo(files, 1),
  ]
  for (const form of forms) {
    const text = form()
    // A token is at least a character, so that what is far too long need not be counted.
    if (text.length / 8 <= most && count(text) <= most) return text
  }
  return `> ${files.length} files, ${sizes(files)}`
}

function rowOf(file: ChangedFile, covered: CoveredFile | undefined): string {
  const { name, previousPath, status, additions, deletions, kind } = file
  const from = previousPath && previousPath !== file.path ? ` from ${visibleLine(previousPath)}` : ''
  return `> ${name} | ${status}${from} | +${additions} -${deletions} | ${kind} | ${shownAs(file, covered)}`
}

function shownAs(file: ChangedFile, covered: CoveredFile | undefined): string {
  if (file.hunks.length === 0) return 'no lines'
  if (covered?.state === 'skipped') return `not shown: ${covered.reason}`
  return covered?.state === 'partlyRead' ? `shown in part: ${covered.reason}` : 'shown'
}

function byFolder(files: ChangedFile[], tell: (inside: ChangedFile[]) => string): string {
  const folders = Map.groupBy(files, ({ name }) => name.split('/').slice(0, -1).join('/') || '.')
  return [...folders].map(([folder, inside]) => `> ${folder}/: ${tell(inside)}`).join('\n')
}

function foldedTo(files: ChangedFile[], depth: number): string {
  const folders = Map.groupBy(files, ({ name }) => name.split('/').slice(0, -1).slice(0, depth).join('/') || '.')
  return [...folders].map(([folder, inside]) => `> ${folder}/: ${summed(inside)}`).join('\n')
}

function summed(files: ChangedFile[]): string {
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${sizes(files)}`
}

function sizes(files: ChangedFile[]): string {
  const sum = (pick: (file: ChangedFile) => number) => files.reduce((total, file) => total + pick(file), 0)
  return `+${sum((file) => file.additions)} -${sum((file) => file.deletions)}`
}
