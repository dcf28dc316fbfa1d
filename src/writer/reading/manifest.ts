import type { ChangedFile } from './changedFiles.ts'
import type { CoveredFile } from './coverage.ts'
import { type Count, MAX_CHARACTERS_PER_TOKEN } from './tokens.ts'

/**
 * Lists every changed file in the most detailed form that fits: one line per file, else names by folder, else the
 * number of files by folder. Every file is accounted for.
 */
export function manifest(
  files: ChangedFile[],
  covered: Map<string, CoveredFile>,
  maxTokens: number,
  count: Count,
): string {
  const rows = () => files.values().map((file) => rowOf(file, covered.get(file.path)))
  const names = () =>
    byFolder(files, folderOf, (inside) => inside.map(({ name }) => name.slice(name.lastIndexOf('/') + 1)).join(', '))
  return firstFitting([rows, names, ...folderForms(files)], files, maxTokens, count)
}

/** Only the folders, with the number and size of their files. */
export function folderList(files: ChangedFile[], maxTokens: number, count: Count): string {
  return firstFitting(folderForms(files), files, maxTokens, count)
}

type Form = () => Iterable<string>

function folderForms(files: ChangedFile[]): Form[] {
  return [() => byFolder(files, folderOf, summed), () => byFolder(files, topFolderOf, summed)]
}

function firstFitting(forms: Form[], files: ChangedFile[], maxTokens: number, count: Count): string {
  for (const form of forms) {
    const text = joined(form(), maxTokens * MAX_CHARACTERS_PER_TOKEN)
    if (text !== undefined && count(text) <= maxTokens) return text
  }
  return `- ${files.length} files, ${sizes(files)}`
}

/** Joins lines. Stops early and returns undefined if the result would be far too long. */
function joined(lines: Iterable<string>, maxLength: number): string | undefined {
  const result: string[] = []
  let length = -1
  for (const line of lines) {
    length += line.length + 1
    if (length > maxLength) return undefined
    result.push(line)
  }
  return result.join('\n')
}

function rowOf(file: ChangedFile, covered: CoveredFile | undefined): string {
  const { name, previousName, status, additions, deletions, kind } = file
  const from = previousName && previousName !== name ? ` from ${previousName}` : ''
  return `- ${name} | ${status}${from} | +${additions} -${deletions} | ${kind} | ${shownAs(file, covered)}`
}

function shownAs(file: ChangedFile, covered: CoveredFile | undefined): string {
  if (file.hunks.length === 0) return 'no lines'
  if (covered?.state === 'skipped') return `not shown: ${covered.reason}`
  return covered?.state === 'partlyRead' ? `shown in part: ${covered.reason}` : 'shown'
}

function byFolder(
  files: ChangedFile[],
  folderOf: (file: ChangedFile) => string,
  describe: (inside: ChangedFile[]) => string,
): Iterable<string> {
  const folders = Map.groupBy(files, (file) => folderOf(file) || '.')
  return folders.entries().map(([folder, inside]) => `- ${folder}/: ${describe(inside)}`)
}

function folderOf({ name }: ChangedFile): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')))
}

function topFolderOf({ name }: ChangedFile): string {
  return name.slice(0, Math.max(0, name.indexOf('/')))
}

function summed(files: ChangedFile[]): string {
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${sizes(files)}`
}

function sizes(files: ChangedFile[]): string {
  const sum = (pick: (file: ChangedFile) => number) => files.reduce((total, file) => total + pick(file), 0)
  return `+${sum((file) => file.additions)} -${sum((file) => file.deletions)}`
}
