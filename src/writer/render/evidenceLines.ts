import type { components } from '../../../generated/api.ts'
import type { StoredContent } from '../content.ts'
import { type Evidence, evidenceOf } from '../evidence.ts'

type EvidenceLine = components['schemas']['EvidenceLine']
type Sign = '+' | '-' | ' '

interface StoredLine {
  sign: Sign
  text: string
  old: number | null
  new: number | null
}

/** The excerpts stored with a text, by the URL of the citation. */
export type StoredExcerpts = Record<string, { lines: StoredLine[]; more: number }>

/**
 * Texts and excerpts by language, each as the members of a JSON object without its braces, as the database joins them.
 */
export interface TextsWithExcerpts {
  contents: string
  excerpts: string
}

const CHANGES = { '+': 'added', '-': 'removed', ' ': 'kept' } as const

/** Adds the cited lines to the evidence of each text. */
export function addEvidenceLines({ contents, excerpts }: TextsWithExcerpts): Uint8Array {
  const texts: Record<string, StoredContent> = JSON.parse(`{${contents}}`)
  const stored: Record<string, StoredExcerpts | null> = JSON.parse(`{${excerpts}}`)
  const members = Object.entries(texts).map(([language, content]) => {
    addLines(content, stored[language] ?? {})
    return `"${language}":${JSON.stringify(content)}`
  })
  return Buffer.from(members.join(','))
}

/** A text with the cited lines. `excerpts` is JSON, and null if none are stored. */
export function withEvidenceLines(content: StoredContent, excerpts: string | null): StoredContent {
  const copy = structuredClone(content)
  addLines(copy, excerpts === null ? {} : JSON.parse(excerpts))
  return copy
}

function addLines(content: StoredContent, excerpts: StoredExcerpts): void {
  for (const evidence of evidenceOf(content)) Object.assign(evidence, linesOf(evidence, excerpts))
}

/** The stored lines of a citation; null if there are none. */
export function linesOf({ url }: Evidence, excerpts: StoredExcerpts): Pick<Evidence, 'lines' | 'linesOmitted'> {
  const excerpt = excerpts[url]
  return excerpt
    ? { lines: excerpt.lines.map(toEvidenceLine), linesOmitted: excerpt.more }
    : { lines: null, linesOmitted: 0 }
}

function toEvidenceLine(line: StoredLine): EvidenceLine {
  return { change: CHANGES[line.sign], oldNumber: line.old, newNumber: line.new, text: line.text }
}
