import type { DraftChange } from '../draft.ts'
import type { ChangeType } from '../facts/conventional.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Hunk } from '../reading/hunks.ts'
import { type FileKind, isNoise } from '../reading/kinds.ts'
import { biggestHunks, citationsOf, citationsOfAll, longestRun } from './citations.ts'
import { type Edit, smallEdits } from './edits.ts'
import { figuresOf } from './figures.ts'
import { headingOf } from './headings.ts'
import { purposeOf } from './paths.ts'
import { definitionsOf, placeOf, type Symbols, sectionsOf, testCasesOf } from './symbols.ts'
import { code, pathCode } from './text.ts'
import type { ChangeKind, Words } from './words.ts'

const MAX_CITATIONS = 3
const MAX_NAMES = 6
const MAX_EDITS = 3
const MIN_LINES_TO_NAME = 3
const MIN_ADDITIONS_PER_DELETION = 10
const TYPES_BY_PURPOSE: Partial<Record<FileKind, ChangeType>> = {
  test: 'TEST',
  snapshot: 'TEST',
  docs: 'DOCS',
  configuration: 'BUILD',
  lockFile: 'BUILD',
}
const KINDS_IN_ORDER: FileKind[] = ['source', 'configuration', 'test', 'docs']

/** Sorts by importance. Generated and other noise files appear only if there are no others. */
export function inOrderOfImportance(files: ChangedFile[]): ChangedFile[] {
  const written = files.filter(({ kind }) => !isNoise(kind))
  return (written.length > 0 ? written : files)
    .map((file) => ({ file, rank: rank(file) }))
    .sort((a, b) => a.rank - b.rank || sizeOf(b.file) - sizeOf(a.file))
    .map(({ file }) => file)
}

function rank(file: ChangedFile): number {
  const at = KINDS_IN_ORDER.indexOf(purposeOf(file))
  return at === -1 ? KINDS_IN_ORDER.length : at
}

function sizeOf({ additions, deletions }: ChangedFile): number {
  return additions + deletions
}

/** Describes the change of a file, with figures of its biggest hunks, at most `maxFigures`. */
export function changeOf(
  file: ChangedFile,
  shown: { name: string; maxFigures: number },
  declared: ChangeType | null,
  words: Words,
): DraftChange {
  return {
    heading: headingOf(file, shown.name, words),
    fileName: file.path,
    changeTypes: [changeTypeOf(file, declared)],
    description: words.sentences(descriptionOf(file, words)),
    basis: 'diff',
    figures: figuresOf(file, shown.maxFigures),
    evidence: smallEdits(file).length > 0 ? citationsOfAll(file) : citationsOf(file, MAX_CITATIONS),
  }
}

/**
 * Uses the purpose of the file, which tells more about its change than the type declared for the whole pull request.
 * Without a declaration, only new code counts as a feature; CHORE, shown as "other", claims the least about changed
 * code.
 */
function changeTypeOf(file: ChangedFile, declared: ChangeType | null): ChangeType {
  const byPurpose = TYPES_BY_PURPOSE[purposeOf(file)]
  if (byPurpose) return byPurpose
  if (declared) return declared
  if (file.status === 'renamed' || file.status === 'removed') return 'REFACTOR'
  return file.status === 'added' || isMostlyNew(file) ? 'FEAT' : 'CHORE'
}

function isMostlyNew(file: ChangedFile): boolean {
  const { added, removed } = definitionsOf(file)
  return added.length > 0 && removed.length === 0 && file.additions >= MIN_ADDITIONS_PER_DELETION * file.deletions
}

function descriptionOf(file: ChangedFile, words: Words): string[] {
  const extent = words.extent({
    ...file,
    formerPath: file.previousPath === null ? '' : pathCode(file.previousPath),
    places: file.hunks.length,
  })
  if (isNoise(file.kind)) return [extent]
  const edits = new Set(smallEdits(file).flatMap((edit) => editIn(edit, words)))
  const places = placesIn(file)
  return [
    extent,
    ...[...edits].slice(0, MAX_EDITS),
    ...findingsIn(file, words),
    ...finding('places', places, words),
    ...(edits.size > 0 ? [] : biggestIn(file, places, words)),
  ]
}

function editIn({ before, after }: Edit, words: Words): string[] {
  const [old, now] = [code(before ?? ''), code(after ?? '')]
  if (old === now) return []
  if (!now) return [words.lineRemoved(old)]
  return [old ? words.replaced(old, now) : words.lineAdded(now)]
}

function findingsIn(file: ChangedFile, words: Words): string[] {
  const listed = ({ added, removed, changed }: Symbols, of: 'definitions' | 'tests' | 'sections') => [
    ...finding(`${of}Added`, added, words),
    ...finding(`${of}Removed`, removed, words),
    ...finding(`${of}Changed`, changed, words),
  ]
  const purpose = purposeOf(file)
  if (purpose === 'docs') return listed(sectionsOf(file), 'sections')
  if (purpose === 'configuration') return []
  const cases = purpose === 'test' ? listed(testCasesOf(file), 'tests') : []
  return [...cases, ...listed(definitionsOf(file), 'definitions')]
}

function finding(of: ChangeKind, names: string[], words: Words): string[] {
  const codes = names
    .slice(0, MAX_NAMES)
    .map((name) => code(name))
    .filter(Boolean)
  return codes.length > 0 ? [words.finding(of, words.list(codes, names.length - codes.length))] : []
}

function placesIn(file: ChangedFile): string[] {
  return [...new Set(file.hunks.map((hunk) => placeIn(file, hunk)).filter(Boolean))]
}

/**
 * The definition that a hunk changes. Empty for new and removed files, and for documents, in which the heading from git
 * is only some earlier line of text.
 */
function placeIn({ status, kind }: ChangedFile, hunk: Hunk): string {
  return status === 'added' || status === 'removed' || kind === 'docs' ? '' : placeOf(hunk)
}

function biggestIn(file: ChangedFile, places: string[], words: Words): string[] {
  const [hunk] = file.hunks.length > 1 ? biggestHunks(file, 1) : []
  const run = hunk && (longestRun(hunk, '+') ?? longestRun(hunk, '-'))
  const isWorthNaming = run && run.last - run.first + 1 >= MIN_LINES_TO_NAME
  return isWorthNaming ? [words.biggest(run, places.length > 1 ? code(placeIn(file, hunk)) : '')] : []
}
