import type { Citation } from '../draft.ts'
import type { Citable } from '../proof/citable.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import { sideOf } from '../reading/hunks.ts'
import type { Part } from '../reading/plan.ts'
import type { Count } from '../reading/tokens.ts'
import type { Notes } from './answerTypes.ts'
import { notedFile } from './prompts.ts'

const MAX_LINES_PER_CITATION = 12

interface Note {
  text: string
  evidence: Citation[]
}

/** The notes of all parts grouped by file, with the cited lines of each file. Skips files that do not fit `room`. */
export function gatheredNotes(notes: Notes[], parts: Part[], citable: Citable, room: number, count: Count): string {
  const byFile = Map.groupBy(notes.flatMap(notesIn), ({ evidence: [first] }) => citable.files.get(first?.path ?? ''))
  const lines = numberedLines(parts)
  const gathered: string[] = []
  let left = room
  for (const [file, about] of byFile) {
    if (!file) continue
    const text = notedFile(file, about.map(withCitations), linesCited(about, file, lines))
    const size = count(text) + 2
    if (size > left) continue
    left -= size
    gathered.push(text)
  }
  return gathered.join('\n\n')
}

function notesIn({ mainChanges, notablePoints }: Notes): Note[] {
  return [
    ...mainChanges.map(({ changeTypes, description, evidence }) => ({
      text: `${description} (${changeTypes.join(', ')})`,
      evidence,
    })),
    ...notablePoints.map(({ categories, point, evidence }) => ({
      text: `${point} (worth pointing out: ${categories.join(', ')})`,
      evidence,
    })),
  ]
}

function withCitations({ text, evidence }: Note): string {
  const places = evidence.map(({ path, side, startLine, endLine }) =>
    startLine === null ? `${path}, whole` : `${path} ${side} ${startLine}-${endLine ?? startLine}`,
  )
  return `${text} [${places.join('; ')}]`
}

type Lines = Map<string, Map<string, string>>

function numberedLines(parts: Part[]): Lines {
  const lines: Lines = new Map()
  for (const { file, hunks } of parts.flat()) {
    const own = lines.get(file.name) ?? new Map<string, string>()
    for (const { line, text } of hunks.flatMap((hunk) => hunk.lines)) own.set(`${sideOf(line)} ${line.number}`, text)
    lines.set(file.name, own)
  }
  return lines
}

function linesCited(notes: Note[], { name }: ChangedFile, lines: Lines): string[] {
  const cited = new Map<string, string>()
  for (const { side, startLine, endLine } of notes.flatMap(({ evidence }) =>
    evidence.filter((citation) => citation.path.trim() === name),
  )) {
    if (startLine === null) continue
    const last = Math.min(endLine ?? startLine, startLine + MAX_LINES_PER_CITATION - 1)
    for (let number = startLine; number <= last; number++) {
      const text = lines.get(name)?.get(`${side} ${number}`)
      if (text !== undefined) cited.set(`${side} ${number}`, text)
    }
  }
  return [...cited.values()]
}
