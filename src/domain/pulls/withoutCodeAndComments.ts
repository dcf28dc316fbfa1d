import { cutOut } from '../../lib/cutOut.ts'

/** Replaces removed code, so that the words around it do not become neighbors. */
const PLACEHOLDER = '|'
/**
 * Limit of backtick runs and empty lines. A text with more is not written by hand, so the rest of it is removed, too.
 */
const MAX_MARKS = 4000

/**
 * Removes fenced code, code spans and HTML comments of Markdown in linear time. Indented code stays. Comments are
 * removed because those of templates often mention an issue as an example.
 */
export function withoutCodeAndComments(text: string): string {
  return cutOut(withoutSpans(withoutFences(text)), '<!--', '-->').kept
}

function withoutFences(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) return text
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const [, mark, info = ''] = /^[ \t>]*(`{3,}|~{3,})(.*)/.exec(line) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && info.trim() === '') fence = undefined
    } else if (mark !== undefined && !info.includes('`')) {
      lines.push('', PLACEHOLDER, '')
      fence = mark
    } else lines.push(line)
  }
  return lines.join('\n')
}

/**
 * Removes code spans. A span starts with a run of backticks and ends with the next run of the same length in the same
 * paragraph.
 */
function withoutSpans(text: string): string {
  if (!text.includes('`')) return text
  const marks = [...text.matchAll(/`+|\n[ \t\r]*(?=\n)/g).take(MAX_MARKS)].map(({ 0: mark, index }) => ({
    start: index,
    end: index + mark.length,
    length: mark.startsWith('`') ? mark.length : 0,
  }))
  const closing: (number | undefined)[] = []
  const next = new Map<number, number>()
  for (let i = marks.length - 1; i >= 0; i--) {
    const length = marks[i]?.length ?? 0
    if (length === 0) next.clear()
    closing[i] = next.get(length)
    if (length > 0) next.set(length, i)
  }
  const pieces: string[] = []
  let from = 0
  for (let i = 0; i < marks.length; i++) {
    const end = marks[closing[i] ?? -1]
    if (!end) continue
    pieces.push(text.slice(from, marks[i]?.start), PLACEHOLDER)
    from = end.end
    i = closing[i] ?? i
  }
  const rest = text.slice(from, marks.length < MAX_MARKS ? undefined : marks.at(-1)?.start)
  return pieces.join('') + rest
}
