import { visible, visibleLine, withoutInvisible } from '../reading/visible.ts'
import { titleParts, webAddress } from './renderMarkdown.ts'

/** Restricted Markdown as it is, but without invisible characters. */
export function prose(text: string): string {
  return withoutInvisible(text).trim()
}

/** Restricted Markdown as one line, for items of a list and cells of a table. */
export function phrase(text: string): string {
  return prose(text).replace(/\s+/g, ' ')
}

/** Characters that begin markup. An underscore inside a word does not. */
const MARKS = /[\\*[\]<`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|#+$/gu

/** Plain text, such as a title or a quote, as one line of Markdown. Of its markup, only code spans count. */
export function plain(text: string): string {
  return titleParts(phrase(text))
    .map((part) => (part.isCode ? inlineCode(part.text) : part.text.replace(MARKS, '\\$&')))
    .join('')
    .trim()
}

/** A code span. Its backticks are more than any run of them in the text. */
export function inlineCode(text: string): string {
  const line = visibleLine(text)
  const ticks = '`'.repeat(longestRun(line) + 1)
  const space = /^`|`$|^ .*[^ ].* $/.test(line) ? ' ' : ''
  return `${ticks}${space}${line}${space}${ticks}`
}

/** A fenced block of code. Its fence is longer than any run of backticks in the text. */
export function fenced(text: string, language: string): string {
  const code = visible(text)
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
  return `${fence}${language}\n${code}\n${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}

const PARENTHESES: Record<string, string> = { '(': '%28', ')': '%29' }

/** `label` is Markdown already. */
export function link(label: string, url: string): string {
  return `[${label}](${linkTarget(url)})`
}

/** A URL without characters that would end a link. */
export function linkTarget(url: string): string {
  return webAddress(url).replace(/[\s<>()\\]/g, (mark) => PARENTHESES[mark] ?? encodeURIComponent(mark))
}

/** The first cell of a row is its heading. */
export function table(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${columns.map((_, i) => cell(cells[i] ?? '')).join(' | ')} |`
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n')
}

/** A bar separates cells unless it is escaped, even in a code span. */
function cell(text: string): string {
  return phrase(text).replace(/(\\*)\|/g, (bar, backslashes) =>
    backslashes.length % 2 === 1 ? bar : `${backslashes}\\|`,
  )
}
