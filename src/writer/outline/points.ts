import type { DraftPoint } from '../draft.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Line } from '../reading/hunks.ts'
import { isNoise } from '../reading/kinds.ts'
import { citationsOf, firstCitable, lineCitation } from './citations.ts'
import { declaresDependencies, isMigration, isProgram, isWorkflow, purposeOf, speaksOfSecurity } from './paths.ts'
import { code, pathCode } from './text.ts'
import type { Group, Words } from './words.ts'

/** What the author says of the pull request as a whole. */
export interface Said {
  isBreaking: boolean
  /** Fit to be quoted. */
  breakingNote: string | null
  isAboutDocs: boolean
  filesLeftOut: number
}

type Categories = DraftPoint['categories']

const MAX_POINTS = 8
const MAX_CITED = 5
const MAX_NAMED = 5
/** A slip of the pen that was mended needs no test. */
const FEWEST_UNTESTED = 5
const MANY_DELETIONS = 200
const MAX_LINES_SEARCHED = 50_000
const MAX_CHARACTERS_SEARCHED = 5_000_000
const LEFT_TO_DO = /\b(?:TODO|FIXME)\b/
const COMMENT = /\/\/|\/\*|^\s*\*|#|--|<!--|;;/

/** What can be read off the files, in their order of importance, that a reviewer would want to know. */
export function pointsOf(files: ChangedFile[], important: ChangedFile[], said: Said, words: Words): DraftPoint[] {
  const group = (name: Group, categories: Categories, of: ChangedFile[], nameOf = nameOfFile) =>
    of.length > 0 ? [pointOn(of, categories, words.group(name, of.length, named(of, words, nameOf)))] : []
  const renaming = ({ name, previousPath }: ChangedFile) =>
    previousPath === null ? pathCode(name) : words.renaming(pathCode(previousPath), pathCode(name))
  const written = important.filter((file) => ['source', 'configuration'].includes(purposeOf(file)))
  const all = important.length < files.length ? [...important, ...files.filter(({ kind }) => isNoise(kind))] : important
  return [
    ...breaking(important, said, words),
    ...group(
      'security',
      ['SECURITY'],
      written.filter(({ path }) => speaksOfSecurity(path)),
    ),
    ...group(
      'migrations',
      ['TECH', 'RISK'],
      written.filter(({ path }) => isMigration(path)),
    ),
    ...untested(files, important, said, words),
    ...largeDeletion(important, words),
    ...group(
      'removed',
      ['RISK'],
      all.filter(({ status }) => status === 'removed'),
    ),
    ...group(
      'manifests',
      ['TECH'],
      important.filter(({ path }) => declaresDependencies(path)),
    ),
    ...group(
      'workflows',
      ['TECH'],
      important.filter(({ path }) => isWorkflow(path)),
    ),
    ...leftToDo(important, words),
    ...group(
      'renamed',
      ['TECH'],
      all.filter(({ status }) => status === 'renamed'),
      renaming,
    ),
  ].slice(0, MAX_POINTS)
}

function nameOfFile({ name }: ChangedFile): string {
  return pathCode(name)
}

function named(files: ChangedFile[], words: Words, nameOf = nameOfFile): string {
  const shown = files.slice(0, MAX_NAMED).map(nameOf)
  return words.list(shown, files.length - shown.length)
}

function pointOn(files: ChangedFile[], categories: Categories, point: string): DraftPoint {
  return { categories, point, evidence: firstCitable(files, MAX_CITED).flatMap((file) => citationsOf(file, 1)) }
}

function breaking(important: ChangedFile[], { isBreaking, breakingNote }: Said, words: Words): DraftPoint[] {
  const first = important.slice(0, 1)
  return isBreaking && first.length > 0 ? [pointOn(first, ['RISK'], words.breaking(breakingNote))] : []
}

/** Files that were not listed may hold tests: then there is nothing to say. */
function untested(files: ChangedFile[], important: ChangedFile[], said: Said, words: Words): DraftPoint[] {
  const isTested = files.some(({ kind }) => kind === 'test' || kind === 'snapshot')
  if (isTested || said.isAboutDocs || said.filesLeftOut > 0) return []
  const grown = important.filter((file) => purposeOf(file) === 'source' && file.additions > 0 && isProgram(file.path))
  const additions = grown.reduce((sum, file) => sum + file.additions, 0)
  return additions >= FEWEST_UNTESTED
    ? [pointOn(grown, ['RISK'], words.untested(grown.length, named(grown, words)))]
    : []
}

function largeDeletion(important: ChangedFile[], words: Words): DraftPoint[] {
  const staying = important.filter(({ kind, status }) => status !== 'removed' && !isNoise(kind))
  const additions = staying.reduce((sum, file) => sum + file.additions, 0)
  const deletions = staying.reduce((sum, file) => sum + file.deletions, 0)
  if (deletions < MANY_DELETIONS || deletions < 2 * additions) return []
  const shrunk = staying.filter((file) => file.deletions > 0).toSorted((a, b) => b.deletions - a.deletions)
  const most = shrunk.slice(0, 3)
  return [pointOn(most, ['RISK'], words.largeDeletion(deletions, additions, named(most, words)))]
}

function leftToDo(important: ChangedFile[], words: Words): DraftPoint[] {
  const { found, isAll } = linesLeftToDo(important)
  const [first] = found
  if (!first) return []
  const evidence = found.slice(0, MAX_CITED).map(({ file, line }) => lineCitation(file, line))
  return [{ categories: ['TECH'], point: words.leftToDo(found.length, isAll, code(first.line.text)), evidence }]
}

function linesLeftToDo(files: ChangedFile[]) {
  const found: { file: ChangedFile; line: Line }[] = []
  let linesLeft = MAX_LINES_SEARCHED
  let charactersLeft = MAX_CHARACTERS_SEARCHED
  for (const file of files.filter(({ kind }) => kind !== 'docs' && !isNoise(kind))) {
    const lines = file.hunks.flatMap(({ lines }) => lines)
    linesLeft -= lines.length
    charactersLeft -= lines.reduce((sum, { text }) => sum + text.length, 0)
    // Only in the whole of a file can be seen which lines were there before.
    if (linesLeft < 0 || charactersLeft < 0) return { found, isAll: false }
    for (const line of newToDo(lines)) found.push({ file, line })
  }
  return { found, isAll: true }
}

/** In a comment, not in a string or a name. */
function isLeftToDo(line: string): boolean {
  if (!LEFT_TO_DO.test(line)) return false
  const comment = line.search(COMMENT)
  return comment !== -1 && LEFT_TO_DO.test(line.slice(comment))
}

/** A line that only moved, or was indented anew, adds nothing to do. */
function newToDo(lines: Line[]): Line[] {
  const toDo = lines.filter(({ sign, text }) => sign !== ' ' && text.length < 1000 && isLeftToDo(text))
  const before = new Set(toDo.filter(({ sign }) => sign === '-').map(({ text }) => text.trim()))
  return toDo.filter(({ sign, text }) => sign === '+' && !before.has(text.trim()))
}
