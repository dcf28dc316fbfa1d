import { htmlTagNames } from 'html-tag-names'
import { code, cut, harmless, saysSomething, visible, withoutAddresses } from './text.ts'

/** A paragraph or an item of a list, fit to be quoted. */
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

/** The paragraphs and items of a description in Markdown, without what is no prose or was left from a template. */
export function blocksOfMarkdown(markdown: string): Block[] {
  const text = without(without(markdown, '<!--', '-->'), '<details', '</details>')
  return blocksOf(text.slice(0, MAX_READ), (line) => line.replace(TAG, tagToText))
}

/** As of Markdown, but for tags: in a commit's message they are meant to be seen. */
export function blocksOfMessage(message: string): Block[] {
  return blocksOf(message.slice(0, MAX_READ_OF_A_MESSAGE), (line) => line)
}

function blocksOf(text: string, unmarked: (text: string) => string): Block[] {
  return splitBlocks(text)
    .map((block) => ({ ...block, text: block.text.slice(0, MAX_BLOCK) }))
    .filter(({ text }) => saysSomething(withoutAddresses(text.replace(IMAGE, '').replace(LINK, ''))))
    .map(({ text, isItem }) => ({ text: inline(text, unmarked), isItem }))
    .filter(({ text }) => saysSomething(text))
}

/** A title or another single line of an author's, of which only the code spans are kept. */
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
    // A ticked or empty box is the template's: its further lines go with it.
    if (!CHECKBOX.test(open.text)) blocks.push(open)
  }
  return blocks
}

/** Lines of Chinese and Japanese are wrapped without a space between. */
function joined(before: string, after: string): string {
  const isWide = WIDE.test(before.slice(-1)) && !/^[!-~]/.test(after)
  return isWide ? before + after : `${before} ${after}`
}

function tagToText(tag: string, name: string): string {
  if (!KNOWN_TAGS.has(name.toLowerCase())) return tag
  return /^(br|p|li|td|hr)$/i.test(name) ? ' ' : ''
}

/** Code spans are set aside while the rest is cleaned, so that what looks like a link or a tag in them stays. */
function inline(text: string, unmarked: (text: string) => string): string {
  const { outside, spans } = setAside(visible(text))
  const links = outside.replace(IMAGE, '').replace(LINK, '$1')
  return harmless(unmarked(links))
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

/** The first blocks, up to that many characters in all. */
export function firstBlocks(blocks: Block[], longest: number): Block[] {
  const first: Block[] = []
  let left = longest
  for (const block of blocks) {
    // The stump of a sentence tells less than none.
    if (left < 20) break
    const text = cut(block.text, left)
    first.push({ ...block, text })
    left -= text.length
  }
  return first
}
