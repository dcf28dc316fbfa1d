import type { DraftPoint } from '../draft.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Line } from '../reading/hunks.ts'
import { isNoise } from '../reading/kinds.ts'
import { citationsOf, firstCitable, lineCitation } from './citations.ts'
import { declaresDependencies, isMigration, isProgram, isSecurityRelated, isWorkflow, purposeOf } from './paths.ts'
import { code, pathCode } from './text.ts'
import type { Group, Words } from './words.ts'

/** The author's declarations in the title, description and commit messages. */
export interface AuthorStatements {
  isBreaking: boolean
  /** The author's note on the breaking change, safe to quote; null if there is none. */
  breakingNote: string | null
  isAboutDocs: boolean
  filesLeftOut: number
}

type Categories = DraftPoint['categories']

const MAX_POINTS = 5
const MAX_CITED = 5
const MAX_NAMED = 5
/** Fewer added lines, such as for a typo, need no test. */
const MIN_UNTESTED_LINES = 5
const MIN_LARGE_DELETION = 200
const MAX_LINES_SEARCHED = 50_000
const MAX_CHARACTERS_SEARCHED = 5_000_000
const TODO = /\b(?:TODO|FIXME)\b/
const COMMENT = /\/\/|\/\*|^\s*\*|#|--|<!--|;;/

/** Facts about the files that a reviewer would want to know, the most important first. */
export function pointsOf(
  files: ChangedFile[],
  important: ChangedFile[],
  statements: AuthorStatements,
  words: Words,
): DraftPoint[] {
  const group = (name: Group, categories: Categories, of: ChangedFile[], nameOf = nameOfFile) =>
    of.length > 0 ? [pointOn(of, categories, words.group(name, of.length, named(of, words, nameOf)))] : []
  const renaming = ({ name, previousPath }: ChangedFile) =>
    previousPath === null ? pathCode(name) : words.renaming(pathCode(previousPath), pathCode(name))
  const written = important.filter((file) => ['source', 'configuration'].includes(purposeOf(file)))
  const all = important.length < files.length ? [...important, ...files.filter(({ kind }) => isNoise(kind))] : important
  return [
    ...breaking(important, statements, words),
    ...group(
      'security',
      ['SECURITY'],
      written.filter(({ path }) => isSecurityRelated(path)),
    ),
    ...group(
      'migrations',
      ['TECH', 'RISK'],
      written.filter(({ path }) => isMigration(path)),
    ),
    ...untested(files, important, statements, words),
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
  ]
    .slice(0, MAX_POINTS)
    .map((point, i) => ({ ...point, importance: i + 1 }))
}

function nameOfFile({ name }: ChangedFile): string {
  return pathCode(name)
}

function named(files: ChangedFile[], words: Words, nameOf = nameOfFile): string {
  const names = files.slice(0, MAX_NAMED).map(nameOf)
  return words.list(names, files.length - names.length)
}

function pointOn(files: ChangedFile[], categories: Categories, point: string): DraftPoint {
  const evidence = firstCitable(files, MAX_CITED).flatMap((file) => citationsOf(file, 1))
  return { importance: null, categories, point, basis: 'diff', evidence }
}

function breaking(
  important: ChangedFile[],
  { isBreaking, breakingNote }: AuthorStatements,
  words: Words,
): DraftPoint[] {
  const first = important.slice(0, 1)
  return isBreaking && first.length > 0 ? [pointOn(first, ['RISK'], words.breaking(breakingNote))] : []
}

/** Points out code without tests. Returns nothing if some files were not listed, because those may be tests. */
function untested(
  files: ChangedFile[],
  important: ChangedFile[],
  statements: AuthorStatements,
  words: Words,
): DraftPoint[] {
  const isTested = files.some(({ kind }) => kind === 'test' || kind === 'snapshot')
  if (isTested || statements.isAboutDocs || statements.filesLeftOut > 0) return []
  const grown = important.filter((file) => purposeOf(file) === 'source' && file.additions > 0 && isProgram(file.path))
  const additions = grown.reduce((sum, file) => sum + file.additions, 0)
  return additions >= MIN_UNTESTED_LINES
    ? [pointOn(grown, ['RISK'], words.untested(grown.length, named(grown, words)))]
    : []
}

function largeDeletion(important: ChangedFile[], words: Words): DraftPoint[] {
  const staying = important.filter(({ kind, status }) => status !== 'removed' && !isNoise(kind))
  const additions = staying.reduce((sum, file) => sum + file.additions, 0)
  const deletions = staying.reduce((sum, file) => sum + file.deletions, 0)
  if (deletions < MIN_LARGE_DELETION || deletions < 2 * additions) return []
  const shrunk = staying.filter((file) => file.deletions > 0).toSorted((a, b) => b.deletions - a.deletions)
  const most = shrunk.slice(0, 3)
  return [pointOn(most, ['RISK'], words.largeDeletion(deletions, additions, named(most, words)))]
}

function leftToDo(important: ChangedFile[], words: Words): DraftPoint[] {
  const { todos, isAll } = findTodos(important)
  const [first] = todos
  if (!first) return []
  const evidence = todos.slice(0, MAX_CITED).map(({ file, line }) => lineCitation(file, line))
  const point = words.leftToDo(todos.length, isAll, code(first.line.text))
  return [{ importance: null, categories: ['TECH'], point, basis: 'diff', evidence }]
}

function findTodos(files: ChangedFile[]) {
  const todos: { file: ChangedFile; line: Line }[] = []
  let linesLeft = MAX_LINES_SEARCHED
  let charactersLeft = MAX_CHARACTERS_SEARCHED
  for (const file of files.filter(({ kind }) => kind !== 'docs' && !isNoise(kind))) {
    const lines = file.hunks.flatMap(({ lines }) => lines)
    linesLeft -= lines.length
    charactersLeft -= lines.reduce((sum, { text }) => sum + text.length, 0)
    // Stop before a file that exceeds the limits: only a complete search can tell which of its lines are new.
    if (linesLeft < 0 || charactersLeft < 0) return { todos, isAll: false }
    for (const line of newTodos(lines)) todos.push({ file, line })
  }
  return { todos, isAll: true }
}

/** Whether a comment in this line contains a TODO marker. Markers in strings or names do not count. */
function isTodo(line: string): boolean {
  if (!TODO.test(line)) return false
  const comment = line.search(COMMENT)
  return comment !== -1 && TODO.test(line.slice(comment))
}

/** The added TODO lines, except those that were only moved or reindented. */
function newTodos(lines: Line[]): Line[] {
  const todos = lines.filter(({ sign, text }) => sign !== ' ' && text.length < 1000 && isTodo(text))
  const before = new Set(todos.filter(({ sign }) => sign === '-').map(({ text }) => text.trim()))
  return todos.filter(({ sign, text }) => sign === '+' && !before.has(text.trim()))
}
