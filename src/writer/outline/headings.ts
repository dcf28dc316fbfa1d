import type { ChangedFile } from '../reading/changedFiles.ts'
import { isNoise } from '../reading/kinds.ts'
import { changedLines } from './citations.ts'
import { purposeOf } from './paths.ts'
import { definitionsOf, enclosingName, nameIn, type Symbols, sectionsOf, testCasesOf } from './symbols.ts'
import { cleanLine, code, cut, pathCode } from './text.ts'
import type { Words } from './words.ts'

const MAX_NAMES = 3
const SHORT_NAME = 18

/** Describes the change of a file in a few words: by the names that it defines, else by its own name. */
export function headingOf(file: ChangedFile, fileName: string, words: Words): string {
  const headings = headingsFor(file, fileName, words)
  return headings.find(({ length }) => length <= words.maxHeading) ?? cut(headings.at(-1) ?? '', words.maxHeading)
}

/** All possible headings, from the most informative to the shortest. */
function headingsFor(file: ChangedFile, fileName: string, words: Words): string[] {
  const { heading, maxName } = words
  const did = file.status === 'added' || file.status === 'removed' ? file.status : 'changed'
  const plain = heading.file(did, purposeOf(file), pathCode(fileName, maxName))
  if (file.status === 'renamed' || file.status === 'copied') return [...movedTo(file, words), plain]
  if (isNoise(file.kind) || file.status === 'removed') return [plain]
  return [...namesIn(file, pathCode(fileName, maxName), words), plain]
}

function movedTo({ name, previousPath, status }: ChangedFile, { heading, maxName }: Words): string[] {
  if (previousPath === null || status !== 'renamed') return []
  const [from, to] = [previousPath, name].map((path) => path.slice(path.lastIndexOf('/') + 1))
  const folder = name.slice(0, name.lastIndexOf('/') + 1)
  if (from === to) return [heading.moved(pathCode(to ?? '', maxName), pathCode(folder || './', maxName))]
  return [maxName, SHORT_NAME].map((max) => heading.renamed(pathCode(from ?? '', max), pathCode(to ?? '', max)))
}

function namesIn(file: ChangedFile, fileName: string, words: Words): string[] {
  const { heading } = words
  const purpose = purposeOf(file)
  if (purpose === 'docs') return gained('sections', sectionsOf(file), fileName, words)
  if (purpose === 'configuration') return []
  const definitions = definitionsOf(file)
  if (purpose === 'test') return gained('tests', casesIn(file, definitions), fileName, words)
  const added = visibleNames(definitions.added)
  const removed = visibleNames(definitions.removed)
  const within = code(enclosingOf(added, file) ?? '', words.maxName)
  const places = visibleNames([...new Set([...enclosingNames(file), ...definitions.changed])])
  const removal = removed.length > 0 ? shorter((max) => heading.names('', listed(removed, max, words), '')) : []
  return [
    ...(added.length > 0 && removed.length > 0
      ? shorter((max) => heading.names(listed(added, max, words), listed(removed, max, words), within))
      : []),
    ...(added.length > 0 ? shorter((max) => heading.names(listed(added, max, words), '', within)) : []),
    ...(file.additions === 0 ? removal : []),
    ...(places.length > 0 ? shorter((max) => heading.changed(listed(places, max, words))) : []),
    ...removal,
  ]
}

function casesIn(file: ChangedFile, definitions: Symbols): Pick<Symbols, 'added' | 'removed'> {
  const isCase = (name: string) => /^test/i.test(name)
  const { added, removed } = testCasesOf(file)
  return {
    added: [...added, ...definitions.added.filter(isCase)],
    removed: [...removed, ...definitions.removed.filter(isCase)],
  }
}

/**
 * Headings about new test cases or sections. None if others were removed, because the new ones may be renamed old ones.
 */
function gained(
  what: 'tests' | 'sections',
  { added, removed }: Pick<Symbols, 'added' | 'removed'>,
  fileName: string,
  words: Words,
): string[] {
  const [first] = added
  if (first === undefined || removed.length > 0) return []
  const counted = words.heading.counted[what](added.length, fileName)
  const name = code(first, words.maxName)
  return added.length === 1 && name !== '' ? [words.heading.single[what](name), counted] : [counted]
}

/** The one definition that encloses all of the given new definitions, if they are few. */
function enclosingOf(names: string[], { hunks }: ChangedFile): string | undefined {
  if (names.length > MAX_NAMES) return undefined
  const left = new Set(names)
  const enclosing = new Set<string | undefined>()
  for (const hunk of hunks)
    for (const [at, { sign, text }] of hunk.lines.entries())
      if (sign === '+' && left.delete(nameIn(text) ?? '')) enclosing.add(enclosingName(hunk, at))
  const [only] = enclosing
  return enclosing.size === 1 ? only : undefined
}

function shorter(make: (max: number) => string): string[] {
  return Array.from({ length: MAX_NAMES }, (_, i) => make(MAX_NAMES - i))
}

function listed(names: string[], max: number, words: Words): string {
  const codes = names.slice(0, max).map((name) => code(name, words.maxName))
  return words.list(codes, names.length - codes.length)
}

/** Drops names that consist of invisible letters, such as fillers. */
function visibleNames(names: string[]): string[] {
  return names.filter((name) => cleanLine(name) !== '')
}

/** The names of the definitions that contain the hunks, those with the most changed lines first. */
function enclosingNames({ hunks }: ChangedFile): string[] {
  const bySize = hunks.map((hunk) => ({ hunk, size: changedLines(hunk) })).sort((a, b) => b.size - a.size)
  return bySize.map(({ hunk }) => enclosingName(hunk)).filter((name) => name !== undefined)
}
