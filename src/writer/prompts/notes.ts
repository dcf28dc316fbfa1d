import type { Citation } from '../draft.ts'
import type { Citable } from '../proof/citable.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Line } from '../reading/hunks.ts'
import type { DiffPart } from '../reading/plan.ts'
import { headingOf, numberedLine } from '../reading/render.ts'
import { type Count, MAX_CHARACTERS_PER_TOKEN } from '../reading/tokens.ts'
import type { Notes } from './answerTypes.ts'

interface Note {
  text: string
  weight: number
  evidence: Citation[]
}

/**
 * The notes of all parts, grouped by file, the weightiest first, with the cited lines of each file. Leaves out what
 * does not fit into `room` tokens.
 */
export function gatheredNotes(notes: Notes[], parts: DiffPart[], citable: Citable, room: number, count: Count): string {
  const byWeight = notes.flatMap(notesIn).toSorted((a, b) => b.weight - a.weight)
  const byFile = Map.groupBy(byWeight, ({ evidence: [first] }) => citable.files.get(first?.path.trim() ?? ''))
  const lines = linesByFile(parts)
  const gathered: string[] = []
  let left = room
  for (const [file, about] of byFile) {
    if (!file) continue
    const text = fittingNotes(file, about, lines, left, count)
    if (text === undefined) continue
    left -= count(text) + 2
    gathered.push(text)
  }
  return gathered.join('\n\n')
}

/**
 * The weightiest notes on a file that fit. Leaves out a note that cites too many lines, but still tries the notes after
 * it.
 */
function fittingNotes(file: ChangedFile, notes: Note[], lines: LinesByFile, room: number, count: Count) {
  const selection: Note[] = []
  let fitting: string | undefined
  for (const note of notes) {
    const text = notedFile(file, [...selection, note], lines)
    if (text.length > room * MAX_CHARACTERS_PER_TOKEN || count(text) + 2 > room) continue
    selection.push(note)
    fitting = text
  }
  return fitting
}

function notedFile(file: ChangedFile, notes: Note[], lines: LinesByFile): string {
  const printed = notes.map((note) => `> note: ${withCitations(note).replaceAll('\n', ' ')}`)
  return [headingOf(file), ...printed, ...citedLines(notes, file, lines)].join('\n')
}

function notesIn({ mainChanges, notablePoints }: Notes): Note[] {
  return [
    ...mainChanges.map(({ changeTypes, description, weight, evidence }) => ({
      text: `${description} (${changeTypes.join(', ')}, weight ${weight})`,
      weight,
      evidence,
    })),
    ...notablePoints.map(({ categories, point, weight, evidence }) => ({
      text: `${point} (to beware of: ${categories.join(', ')}, weight ${weight})`,
      weight,
      evidence,
    })),
  ]
}

function withCitations({ text, evidence }: Note): string {
  const places = evidence.map(({ path, side, startLine, endLine }) =>
    startLine ? `${path} ${side} ${startLine}-${endLine || startLine}` : `${path}, whole`,
  )
  return `${text} [${places.join('; ')}]`
}

interface FileLines {
  lines: Line[]
  width: number
}

type LinesByFile = Map<string, FileLines>

function linesByFile(parts: DiffPart[]): LinesByFile {
  const byFile: LinesByFile = new Map()
  for (const { file, hunks, width } of parts.flat()) {
    const entry = byFile.get(file.name)
    const lines = hunks.flatMap((hunk) => hunk.lines)
    if (entry) entry.lines.push(...lines)
    else byFile.set(file.name, { lines, width })
  }
  return byFile
}

/** The cited lines of a file in order, without condensing similar lines. */
function citedLines(notes: Note[], { name }: ChangedFile, byFile: LinesByFile): string[] {
  const { lines, width } = byFile.get(name) ?? { lines: [], width: 1 }
  const ranges = notes.flatMap(({ evidence }) => evidence).filter(({ path }) => path.trim() === name)
  const isCited = (line: Line) =>
    ranges.some(({ side, startLine, endLine }) => {
      const number = line[side]
      return number !== null && startLine !== null && number >= startLine && number <= (endLine || startLine)
    })
  return lines.filter(isCited).map((line) => numberedLine(line, width))
}
