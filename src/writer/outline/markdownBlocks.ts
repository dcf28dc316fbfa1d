import { htmlTagNames } from 'html-tag-names'
import { code, cut, harmless, hasLettersOrDigits, visible, withoutAddresses } from './text.ts'

/** A paragraph or list item that is safe to quote. */
export interface Block {
  text: string
  isItem: boolean
}

const MAX_READ = 20_000
const MAX_READ_OF_A_MESSAGE = 4000
const MAX_BLOCK = 2000
const MAX_CODE_SPANS = 1000
const FIRST_PLACEHOLDER = 0xe000

const FENCE = /^\s*(?:```|~~~)/
const NO_PROSE = [
  /^ {0,3}#{1,6}(\s|$)/,
  /^[\s=*_-]*$/,
  /^\s*\|/,
  /^\s*\[![A-Z]+\]\s*$/,
  /^\s*\[[^\]]+\]:\s*\S+\s*$/,
  /^(?:[a-z]+-)+(?:by|id):\s/i,
]
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?!\s)(.*)$/
const CHECKBOX = /^\[[ x]?\]/i
const INDENTED = /^(?: {4}|\t)/
const IMAGE = /!\[[^\][]*\]\([^()]*\)/g
const LINK = /\[([^\][]*)\](?:\((?=[^()\s]*[/#:.])[^()\s]*(?:\s+"[^"]*")?\)|\[[^\][]*\])/g
const TAG = /<\/?([a-z][\w-]*)(?:\s[^<>]*)?\/?>/gi
const PLACEHOLDER = /[\u{e000}-\u{f8ff}]/gu
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。]/u
const KNOWN_TAGS = new Set(htmlTagNames)

/** The paragraphs and list items of a Markdown description, without non-prose and leftovers of a template. */
export function blocksOfMarkdown(markdown: string): Block[] {
  const text = without(without(markdown, '<!--', '-->'), '<details', '</details>')
  return blocksOf(text.slice(0, MAX_READ), (line) => line.replace(TAG, tagToText))
}

/** Like `blocksOfMarkdown`, but keeps HTML tags, which are literal text in a commit message. */
export function blocksOfMessage(message: string): Block[] {
  return blocksOf(message.slice(0, MAX_READ_OF_A_MESSAGE), (line) => line)
}

function blocksOf(text: string, stripTags: (text: string) => string): Block[] {
  return splitBlocks(text)
    .map((block) => ({ ...block, text: block.text.slice(0, MAX_BLOCK) }))
    .filter(({ text }) => hasLettersOrDigits(withoutAddresses(text.replace(IMAGE, '').replace(LINK, ''))))
    .map(({ text, isItem }) => ({ text: inline(text, stripTags), isItem }))
    .filter(({ text }) => hasLettersOrDigits(text))
}

/** A title or another single line of the author. Keeps code spans as its only markup. */
export function lineOf(text: string): string {
  return inline(text.slice(0, MAX_BLOCK), (line) => line)
}

function without(text: string, opening: string, closing: string): string {
  let kept = ''
  let at = 0
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, at)) {
    kept += text.slice(at, start)
    const end = text.indexOf(closing, start)
    if (end === -1) return kept
    at = end + closing.length
  }
  return kept + text.slice(at)
}

function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  let isFenced = false
  for (const row of text.split(/\r\n|\r|\n/)) {
    if (FENCE.test(row)) isFenced = !isFenced
    const line = row.replace(/^\s*(?:>\s?)+/, '')
    const isCode = isFenced || FENCE.test(row) || (!open && INDENTED.test(line) && !ITEM.test(line))
    if (isCode || NO_PROSE.some((pattern) => pattern.test(line))) {
      open = null
      continue
    }
    const item = ITEM.exec(line)
    if (open && !item) {
      open.text = joined(open.text, line.trim())
      continue
    }
    open = { text: (item?.[1] ?? line).trim(), isItem: item !== null }
    // Checkboxes come from a template. Their continuation lines are dropped with them.
    if (!CHECKBOX.test(open.text)) blocks.push(open)
  }
  return blocks
}

/** Chinese and Japanese lines are joined without a space. */
function joined(before: string, after: string): string {
  const isWide = WIDE.test(before.slice(-1)) && !/^[!-~]/.test(after)
  return isWide ? before + after : `${before} ${after}`
}

function tagToText(tag: string, name: string): string {
  if (!KNOWN_TAGS.has(name.toLowerCase())) return tag
  return /^(br|p|li|td|hr)$/i.test(name) ? ' ' : ''
}

/** Replaces code spans by placeholders while cleaning, so that links and tags inside them stay. */
function inline(text: string, stripTags: (text: string) => string): string {
  const { outside, spans } = setAside(visible(text))
  const links = outside.replace(IMAGE, '').replace(LINK, '$1')
  return harmless(stripTags(links))
    .replace(/\\(?=[\u{e000}-\u{f8ff}])/gu, '\\ ')
    .replace(/[\u{e000}-\u{f8ff}](?=[\u{e000}-\u{f8ff}])/gu, '$& ')
    .replace(PLACEHOLDER, (placeholder) => spans[placeholder.charCodeAt(0) - FIRST_PLACEHOLDER] ?? '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

function setAside(text: string): { outside: string; spans: string[] } {
  const parts = text.split(/(`+)/)
  const spans: string[] = []
  let outside = ''
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const end = at % 2 === 1 && spans.length < MAX_CODE_SPANS ? parts.indexOf(part, at + 1) : -1
    if (end === -1) {
      outside += part
      continue
    }
    outside += String.fromCharCode(FIRST_PLACEHOLDER + spans.length)
    spans.push(
      code(
        parts
          .slice(at + 1, end)
          .join('')
          .replaceAll('`', "'"),
      ),
    )
    at = end
  }
  return { outside, spans }
}

/** The first blocks, up to `maxLength` characters in total. */
export function firstBlocks(blocks: Block[], maxLength: number): Block[] {
  const first: Block[] = []
  let left = maxLength
  for (const block of blocks) {
    // A fragment of a sentence is worse than nothing.
    if (left < 20) break
    const text = cut(block.text, left)
    first.push({ ...block, text })
    left -= text.length
  }
  return first
}
