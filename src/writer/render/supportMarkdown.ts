import type { StoredContent } from '../content.ts'
import { visibleLine } from '../reading/visible.ts'
import { distinctCitations } from './citationLinks.ts'
import type { Citations } from './citationMarkdown.ts'
import { paragraphs } from './figureMarkdown.ts'
import type { Labels } from './labels.ts'
import { fenced, inlineCode, link } from './markdownText.ts'

const MAX_FILES = 30

/** How many files were read, and the others with the reason. */
export function coverageMarkdown({ read, changedFiles, files }: StoredContent['coverage'], labels: Labels): string {
  const missed = files.filter(({ reason }) => reason !== null)
  const more = missed.length > MAX_FILES ? [`… +${missed.length - MAX_FILES}`] : []
  const names = [...missed.slice(0, MAX_FILES).map(({ path, reason }) => `${inlineCode(path)} (${reason})`), ...more]
  return paragraphs([
    labels.filesRead(read, changedFiles),
    names.length === 0 ? null : `${labels.notRead}: ${names.join(', ')}`,
  ])
}

/** Matches the part of a URL that names the file: a repository that was renamed has another URL now. */
const FILE_OF_URL = /#diff-[\da-f]{64}/

export function citedFilesMarkdown(content: StoredContent, hostPrUrl: string): string {
  const files = new Map(distinctCitations(content).map(({ path, url }) => [path, FILE_OF_URL.exec(url)?.[0] ?? '']))
  const base = `${hostPrUrl}/files/${content.headSha}`
  return [...files].map(([path, file]) => `- ${link(inlineCode(path), base + file)}`).join('\n')
}

const SIGNS = { added: '+', removed: '-', kept: ' ' }

/** The lines of each citation; null for citations without lines. */
export function citedLinesMarkdown(content: StoredContent, labels: Labels, { cite }: Citations): (string | null)[] {
  return distinctCitations(content).map((citation) => {
    const { lines, linesOmitted = 0, url } = citation
    if (!lines) return null
    const diff = lines.map(({ change, text }) => SIGNS[change] + visibleLine(text)).join('\n')
    const more = linesOmitted > 0 ? link(labels.moreOnHost(linesOmitted), url) : null
    return paragraphs([cite([citation]), fenced(diff, 'diff'), more])
  })
}
