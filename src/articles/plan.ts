import type { components } from '../../generated/api.ts'
import type { ChangedFile, Mask } from './changedFiles.ts'
import { type FileKind, isNoise } from './kinds.ts'
import { headingOf, type RenderedFile, type RenderedHunk, render } from './render.ts'

export type CoveredFile = components['schemas']['CoveredFile']
type Reason = CoveredFile['reason']

/** What one call of the model is shown of the diff. */
export type Part = RenderedFile[]

export interface ReadingPlan {
  /** One part where everything fits a single call. */
  parts: Part[]
  files: CoveredFile[]
}

export interface Limits {
  /** Tokens of the diff that fit the one call that reads and writes. */
  whole: number
  /** Tokens of the diff that fit a call that only takes notes. */
  part: number
  mostParts: number
}

interface Tools {
  count: (text: string) => number
  mask: Mask
}

/** What says most about a change comes first where not everything can be read. */
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

const MOST_WITHOUT_LINES = 50

/** Gives every changed file its place: read, read in part, or skipped with the reason. */
export async function planReading(files: ChangedFile[], limits: Limits, tools: Tools): Promise<ReadingPlan> {
  const wanted = worthReading(files)
  if (wanted.length === 0) return { parts: [withoutLines(files)], files: coverWhole(files) }
  const most = Math.max(limits.whole, limits.part * limits.mostParts)
  const measured: Measured[] = []
  let total = 0
  for (const file of wanted) {
    if (total > most) break
    const rendered = measure(await render(file, tools.mask), tools.count)
    measured.push(rendered)
    total += rendered.tokens
  }
  const fits = total <= limits.whole && measured.length === wanted.length
  const parts = fits
    ? [
        inOrderOf(
          files,
          measured.map(({ rendered }) => rendered),
        ),
      ]
    : pack(measured, limits, tools.count)
  const shown = Map.groupBy(parts.flat(), ({ file }) => file)
  const chosen = new Set(wanted)
  return { parts, files: files.map((file) => cover(file, chosen, shownOf(shown.get(file) ?? []))) }
}

/** The same for a reader without a budget. */
export function coverWhole(files: ChangedFile[]): CoveredFile[] {
  const chosen = new Set(worthReading(files))
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

function lengthOf(hunks: { lines: unknown[] }[]): number {
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0)
}

/** Where no line can be read, the files themselves are what there is to speak of. */
function withoutLines(files: ChangedFile[]): Part {
  return files
    .filter((file) => file.hunks.length === 0)
    .slice(0, MOST_WITHOUT_LINES)
    .map((file) => ({ file, hunks: [], clipped: false }))
}

/** Noise is read only where there is nothing else to read. */
function worthReading(files: ChangedFile[]): ChangedFile[] {
  const readable = files.filter((file) => file.hunks.length > 0)
  const telling = readable.filter((file) => !isNoise(file.kind))
  const isAllNoise = files.every((file) => isNoise(file.kind))
  const chosen = isAllNoise ? readable : telling
  return chosen.toSorted(
    (one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) || linesOf(one) - linesOf(other),
  )
}

function linesOf({ additions, deletions }: ChangedFile): number {
  return additions + deletions
}

interface Measured {
  rendered: RenderedFile
  heading: number
  hunks: { hunk: RenderedHunk; tokens: number }[]
  tokens: number
}

function measure(rendered: RenderedFile, count: Tools['count']): Measured {
  const heading = count(headingOf(rendered.file)) + 2
  const hunks = rendered.hunks.map((hunk) => ({ hunk, tokens: tokensOf(hunk, count) }))
  return { rendered, heading, hunks, tokens: hunks.reduce((sum, { tokens }) => sum + tokens, heading) }
}

function tokensOf({ heading, lines }: RenderedHunk, count: Tools['count']): number {
  return count([heading, ...lines.map(({ text }) => text)].join('\n')) + 2
}

function inOrderOf(files: ChangedFile[], rendered: RenderedFile[]): RenderedFile[] {
  const byFile = new Map(rendered.map((one) => [one.file, one]))
  return files.map((file) => byFile.get(file)).filter((one) => one !== undefined)
}

/** Fills one part after the other, breaking files between hunks and hunks between lines only where they must be. */
function pack(measured: Measured[], { part: room, mostParts }: Limits, count: Tools['count']): Part[] {
  const parts: Part[] = [[]]
  let left = room
  const open = (): boolean => {
    if (parts.length >= mostParts) return false
    parts.push([])
    left = room
    return true
  }
  for (const { rendered, heading, hunks, tokens } of measured) {
    if (tokens > left && tokens <= room && parts.at(-1)?.length && !open()) continue
    const place = (pieces: RenderedHunk[], size: number) => {
      const current = parts.at(-1)
      const begun = current?.find(({ file }) => file === rendered.file)
      if (begun) begun.hunks.push(...pieces)
      else current?.push({ ...rendered, hunks: pieces })
      left -= size + (begun ? 0 : heading)
    }
    for (const piece of hunks.flatMap((one) => pieces(one, room - heading, count))) {
      if (piece.tokens + heading > left && !open()) break
      place([piece.hunk], piece.tokens)
    }
  }
  return parts.filter((part) => part.length > 0)
}

/** A hunk in pieces that each fit a part. */
function pieces(
  { hunk, tokens }: Measured['hunks'][number],
  room: number,
  count: Tools['count'],
): Measured['hunks'][number][] {
  if (tokens <= room || hunk.lines.length < 2) return tokens <= room ? [{ hunk, tokens }] : []
  const middle = Math.ceil(hunk.lines.length / 2)
  return [hunk.lines.slice(0, middle), hunk.lines.slice(middle)].flatMap((lines) => {
    const half = { heading: hunk.heading, lines }
    return pieces({ hunk: half, tokens: tokensOf(half, count) }, room, count)
  })
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
  if (lines < lengthOf(file.hunks)) return ['partlyRead', 'budget']
  if (file.patch === 'partial') return ['partlyRead', 'noPatch']
  return clipped ? ['partlyRead', 'longLines'] : ['read', null]
}

function noiseReason(kind: FileKind): Reason {
  return kind === 'source' || kind === 'test' || kind === 'docs' || kind === 'configuration' ? 'budget' : kind
}
