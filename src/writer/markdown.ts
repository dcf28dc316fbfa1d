import type { fromMarkdown } from 'mdast-util-from-markdown'

type Root = ReturnType<typeof fromMarkdown>
export type Node = Root | Root['children'][number]

/**
 * Limits on the number of matches in a text, because the Markdown parser takes quadratic time for them. Normal texts
 * stay far below these limits.
 */
const LIMITS: [max: number, of: RegExp, error: string][] = [
  [300, /[*_]/g, 'it holds more emphasis marks than a text needs'],
  [100, /\[/g, 'it holds more square brackets than a text needs'],
  [100, /</g, 'it holds more angle brackets than a text needs'],
  [100, /@/g, 'it holds more addresses than a text needs'],
  [400, /[`\\]/g, 'it holds more backticks and backslashes than a text needs'],
  [200, /\r\n?|\n/g, 'it holds more lines than a text needs'],
]
/** Lists and quotations with at least five levels. Some parsers cannot handle such nesting, and no reader needs it. */
const NESTED = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){5}/m
const NESTED_LINES = new RegExp(`${NESTED.source}.*`, 'gm')

/** The reasons why a text would take too long to parse; empty if it would not. */
export function excessesOf(text: string): string[] {
  if (NESTED.test(text)) return ['it holds lists within lists within lists']
  return LIMITS.filter(([max, of]) => endOf(text, max, of) < text.length).map(([, , error]) => error)
}

/**
 * The beginning of a text that stays within the limits multiplied by `factor`, without lines that are nested too
 * deeply.
 */
export function parseableStart(text: string, factor = 1): string {
  const flat = text.replace(NESTED_LINES, '')
  return flat.slice(0, Math.min(...LIMITS.map(([max, of]) => endOf(flat, factor * max, of))))
}

/** The index of the first match after `max` matches, or the end of the text if there are not so many. */
function endOf(text: string, max: number, of: RegExp): number {
  let left = max
  for (const { index } of text.matchAll(of)) {
    if (left === 0) return index
    left -= 1
  }
  return text.length
}
