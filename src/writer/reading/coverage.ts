import type { components } from '../../../generated/api.ts'
import type { PullRequestDocument } from '../facts/document.ts'
import type { ChangedFile } from './changedFiles.ts'
import type { Conversation } from './conversation.ts'
import { type FileKind, isNoise } from './kinds.ts'
import type { RenderedFile } from './render.ts'

export type CoveredFile = components['schemas']['CoveredFile']
export type Coverage = Omit<components['schemas']['Coverage'], 'secretsMasked' | 'claimsDropped'>
type Reason = CoveredFile['reason']

/** The maximum size of all listed paths together: room for 3,000 paths of 150 characters. */
const MAX_PATH_BYTES = 470_000

/** The order in which files are read. The most informative kinds come first, in case not everything can be read. */
const ORDER: FileKind[] = [
  'source',
  'configuration',
  'test',
  'docs',
  'generated',
  'snapshot',
  'vendored',
  'lockFile',
  'minified',
  'binary',
]

const MAX_SNAPSHOTS = 12
const MAX_SNAPSHOT_LINES = 30

/**
 * The files to read, the most important first. Noise is read only if there is nothing else. The exception is the
 * beginning of a few snapshots, because they show what users see.
 */
export function worthReading(files: ChangedFile[]): ChangedFile[] {
  const readable = files.filter((file) => file.hunks.length > 0).toSorted(byImportance)
  if (isAllNoise(files)) return readable
  const informative = readable.filter((file) => !isNoise(file.kind))
  return [...informative, ...readable.filter((file) => file.kind === 'snapshot').slice(0, MAX_SNAPSHOTS)]
}

/** How many lines of a file are read at most. */
export function linesToRead(file: ChangedFile, allNoise: boolean): number {
  return file.kind === 'snapshot' && !allNoise ? MAX_SNAPSHOT_LINES : Number.POSITIVE_INFINITY
}

export function isAllNoise(files: ChangedFile[]): boolean {
  return files.every((file) => isNoise(file.kind))
}

function byImportance(a: ChangedFile, b: ChangedFile): number {
  return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || linesOf(a) - linesOf(b)
}

function linesOf({ additions, deletions }: ChangedFile): number {
  return additions + deletions
}

/** The coverage of each file for files that were read in parts. */
export function coverParts(files: ChangedFile[], wanted: ChangedFile[], parts: RenderedFile[][]): CoveredFile[] {
  const partsByFile = Map.groupBy(parts.flat(), ({ file }) => file)
  const chosen = new Set(wanted)
  return files.map((file) => cover(file, chosen, shownOf(partsByFile.get(file) ?? [])))
}

/** The coverage of each file if no token budget applies. Noise is left out, unless there is nothing else. */
export function coverWhole(files: ChangedFile[]): CoveredFile[] {
  const allNoise = isAllNoise(files)
  const chosen = new Set(worthReading(files).filter(({ kind }) => allNoise || !isNoise(kind)))
  return files.map((file) => cover(file, chosen, { lines: lengthOf(file.hunks), clipped: false }))
}

interface Shown {
  lines: number
  clipped: boolean
}

function shownOf(rendered: RenderedFile[]): Shown {
  return {
    lines: lengthOf(rendered.flatMap(({ hunks }) => hunks)),
    clipped: rendered.some(({ clipped }) => clipped),
  }
}

export function lengthOf(hunks: { lines: unknown[] }[]): number {
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0)
}

function cover(file: ChangedFile, wanted: Set<ChangedFile>, shown: Shown): CoveredFile {
  const { path, kind } = file
  const [state, reason] = stateOf(file, wanted, shown)
  return { path, kind, state, reason }
}

function stateOf(
  file: ChangedFile,
  wanted: Set<ChangedFile>,
  { lines, clipped }: Shown,
): [CoveredFile['state'], Reason] {
  if (file.patch === 'binary') return ['skipped', 'binary']
  if (file.patch === 'leftOut') return ['skipped', 'tooLarge']
  if (file.patch === 'none') return ['read', null]
  if (file.hunks.length === 0) return ['skipped', 'noPatch']
  if (!wanted.has(file)) return ['skipped', noiseReason(file.kind)]
  if (lines === 0) return ['skipped', 'budget']
  if (lines < lengthOf(file.hunks))
    return ['partlyRead', lines === MAX_SNAPSHOT_LINES ? noiseReason(file.kind) : 'budget']
  if (file.patch === 'partial') return ['partlyRead', 'noPatch']
  return clipped ? ['partlyRead', 'longLines'] : ['read', null]
}

function noiseReason(kind: FileKind): Reason {
  return kind === 'source' || kind === 'test' || kind === 'docs' || kind === 'configuration' ? 'budget' : kind
}

export function coverageOf(
  pull: PullRequestDocument,
  files: CoveredFile[],
  conversation: Conversation['coverage'],
): Coverage {
  const listed = listable(files)
  const counted = (state: CoveredFile['state']) => listed.filter((file) => file.state === state).length
  const changedFiles = Math.max(pull.changedFiles, files.length)
  return {
    changedFiles,
    read: counted('read'),
    partlyRead: counted('partlyRead'),
    skipped: counted('skipped'),
    notListed: changedFiles - listed.length,
    files: listed,
    ...conversation,
  }
}

/**
 * The files that the coverage lists. Limits the size of an article, because a path can have thousands of characters.
 */
function listable(files: CoveredFile[]): CoveredFile[] {
  let left = MAX_PATH_BYTES
  return files.filter(({ path }) => {
    left -= Buffer.byteLength(JSON.stringify(path))
    return left >= 0
  })
}
