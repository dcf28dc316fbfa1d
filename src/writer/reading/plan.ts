import type { ChangedFile } from './changedFiles.ts'
import {
  type CoveredFile,
  coverParts,
  coverWhole,
  isAllNoise,
  lengthOf,
  linesToRead,
  worthReading,
} from './coverage.ts'
import { inReadingOrder } from './grouping.ts'
import type { Hunk } from './hunks.ts'
import type { Mask } from './mask.ts'
import { printHunk } from './printHunk.ts'
import { headingOf, type RenderedFile, render } from './render.ts'
import type { Count } from './tokens.ts'

/** The part of the diff that one model call is shown. */
export type DiffPart = RenderedFile[]

export interface ReadingPlan {
  /** Whether one call can read everything and write the article. */
  single: boolean
  parts: DiffPart[]
  files: CoveredFile[]
}

export interface PlanLimits {
  /** Tokens of the diff that fit a single call that writes the article. */
  whole: number
  /** Tokens of the diff that fit a call that only takes notes. */
  part: number
  maxParts: number
}

interface Tools {
  count: Count
  mask: Mask
}

const MAX_FILES_WITHOUT_LINES = 50
/** The minimum number of tokens per line: a line number, a sign and a line end. */
const MIN_TOKENS_PER_LINE = 3

/** Decides for every changed file whether it is read, partly read, or skipped and why. */
export async function planReading(files: ChangedFile[], limits: PlanLimits, tools: Tools): Promise<ReadingPlan> {
  const wanted = worthReading(files)
  if (wanted.length === 0) return { single: true, parts: [withoutLines(files)], files: coverWhole(files) }
  const maxTokens = Math.max(limits.whole, limits.part * limits.maxParts)
  const allNoise = isAllNoise(files)
  const measured: Measured[] = []
  let total = 0
  for (const file of wanted) {
    if (total > maxTokens) break
    const maxLines = Math.min(Math.ceil(maxTokens / MIN_TOKENS_PER_LINE), linesToRead(file, allNoise))
    const rendered = measure(await render(file, tools.mask, maxLines), tools.count)
    measured.push(rendered)
    total += rendered.tokens
  }
  const isWhole = measured.every(({ rendered: { file, hunks } }) => {
    return lengthOf(hunks) === Math.min(lengthOf(file.hunks), linesToRead(file, allNoise))
  })
  const fits = total <= limits.whole && measured.length === wanted.length && isWhole
  const parts = fits
    ? [
        inOrderOf(
          files,
          measured.map(({ rendered }) => rendered),
        ),
      ]
    : packed(measured, limits, tools.count)
  return { single: fits, parts, files: coverParts(files, wanted, parts) }
}

/** A part without lines, because none can be read: the article can only tell which files changed. */
function withoutLines(files: ChangedFile[]): DiffPart {
  return files
    .filter((file) => file.hunks.length === 0)
    .slice(0, MAX_FILES_WITHOUT_LINES)
    .map((file) => ({ file, hunks: [], clipped: false, width: 1 }))
}

type MeasuredHunk = Measured['hunks'][number]

interface Measured {
  rendered: RenderedFile
  heading: number
  hunks: { hunk: Hunk; tokens: number }[]
  tokens: number
}

function measure(rendered: RenderedFile, count: Count): Measured {
  const heading = count(headingOf(rendered.file)) + 2
  const hunks = rendered.hunks.map((hunk) => ({ hunk, tokens: tokensOf(hunk, rendered.width, count) }))
  return { rendered, heading, hunks, tokens: hunks.reduce((sum, { tokens }) => sum + tokens, heading) }
}

function tokensOf(hunk: Hunk, width: number, count: Count): number {
  return count(printHunk(hunk, width).join('\n')) + 2
}

function inOrderOf(files: ChangedFile[], rendered: RenderedFile[]): RenderedFile[] {
  const byFile = new Map(rendered.map((file) => [file.file, file]))
  return files.map((file) => byFile.get(file)).filter((file) => file !== undefined)
}

/**
 * Packs files into parts: in reading order if all lines fit; otherwise the most important files first, because files at
 * the end are dropped.
 */
function packed(measured: Measured[], limits: PlanLimits, count: Count): DiffPart[] {
  const ordered = pack(inReadingOrder(measured), limits, count)
  const wanted = lengthOf(measured.flatMap(({ rendered }) => rendered.hunks))
  const placed = lengthOf(ordered.flat().flatMap(({ hunks }) => hunks))
  return placed === wanted ? ordered : pack(measured, limits, count)
}

/** Fills parts one after the other. Splits files between hunks, and hunks between lines, only if necessary. */
function pack(measured: Measured[], { part: room, maxParts }: PlanLimits, count: Count): DiffPart[] {
  const parts: DiffPart[] = [[]]
  let left = room
  const openPart = (): boolean => {
    if (parts.length >= maxParts) return false
    parts.push([])
    left = room
    return true
  }
  for (const { rendered, heading, hunks, tokens } of measured) {
    if (tokens > left && tokens <= room && parts.at(-1)?.length && !openPart()) continue
    const place = (pieces: Hunk[], size: number) => {
      const current = parts.at(-1)
      const existing = current?.find(({ file }) => file === rendered.file)
      if (existing) existing.hunks.push(...pieces)
      else current?.push({ ...rendered, hunks: pieces })
      left -= size + (existing ? 0 : heading)
    }
    for (const piece of hunks.flatMap((hunk) => pieces(hunk, rendered.width, room - heading, count))) {
      if (piece.tokens + heading > left && !openPart()) break
      place([piece.hunk], piece.tokens)
    }
  }
  return parts.filter((part) => part.length > 0)
}

/** Splits a hunk into pieces that each fit a part. */
function pieces({ hunk, tokens }: MeasuredHunk, width: number, room: number, count: Count): MeasuredHunk[] {
  if (tokens <= room || hunk.lines.length < 2) return tokens <= room ? [{ hunk, tokens }] : []
  const middle = Math.ceil(hunk.lines.length / 2)
  return [hunk.lines.slice(0, middle), hunk.lines.slice(middle)].flatMap((lines) => {
    const half = { heading: hunk.heading, lines }
    return pieces({ hunk: half, tokens: tokensOf(half, width, count) }, width, room, count)
  })
}
