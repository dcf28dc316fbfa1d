import { fromMarkdown } from 'mdast-util-from-markdown'
import { cutOut } from '../../lib/cutOut.ts'
import { type Node, parseableStart } from '../markdown.ts'
import { withoutInvisible } from '../reading/visible.ts'
import { inline, withoutLinks } from './inline.ts'
import { cleanLine, cut, hasLettersOrDigits, withoutAddresses } from './text.ts'

/** A paragraph or list item that is safe to quote. */
export interface Block {
  text: string
  isItem: boolean
  /** The Markdown as the author wrote it; null in a block quotation, in which the author quotes others. */
  written: string | null
}

const MAX_READ = 20_000
const MAX_READ_OF_A_MESSAGE = 4000
const MAX_LINE = 2000
/**
 * Multiplies the limits of the parser for descriptions, which may begin with long logs or tables. Parsing still takes
 * about half a second at most.
 */
const DESCRIPTION_FACTOR = 4

/** Lines that are not prose and end a paragraph: underlines, separators, table rows, alert marks, commit trailers. */
const NO_PROSE = /^[ \t>]*(?:[=*_-][=*_ \t-]*|\|.*|\[![A-Z]+\][ \t]*|(?:[a-z]+-)+(?:by|id):[ \t].*)$/gim
const CHECKBOX = /^\[[ x]?\]/i

/** Syntax not parsed in descriptions. Without HTML blocks, the text between HTML tags is read as paragraphs. */
const DESCRIPTION = ['htmlFlow']
/** Syntax not parsed in commit messages, in which HTML tags are literal text. */
const MESSAGE = [...DESCRIPTION, 'htmlText']
const LINE = [...MESSAGE, 'headingAtx', 'list', 'blockQuote', 'thematicBreak', 'codeFenced', 'definition']

/** The paragraphs and list items of a Markdown description, without non-prose and leftovers of a template. */
export function blocksOfMarkdown(markdown: string): Block[] {
  const uncommented = cutOut(markdown, '<!--', '-->').kept
  const text = cutOut(uncommented, '<details', '</details>').kept.slice(0, MAX_READ)
  return blocksOf(text, DESCRIPTION, DESCRIPTION_FACTOR)
}

/** Like `blocksOfMarkdown`, but keeps HTML tags. */
export function blocksOfMessage(message: string): Block[] {
  return blocksOf(message.slice(0, MAX_READ_OF_A_MESSAGE), MESSAGE)
}

/** Cleans a title or another single line of the author. Keeps code spans, but no other markup. */
export function lineOf(text: string): string {
  const line = parseableStart(cleanLine(text.slice(0, MAX_LINE)))
  return inline(parse(line, LINE), line)
}

function blocksOf(given: string, disabled: string[], factor?: number): Block[] {
  const unified = withoutInvisible(given.replace(/\r\n?/g, '\n'))
  const text = parseableStart(unified.replace(NO_PROSE, ''), factor)
  return [...paragraphsIn(parse(text, disabled))]
    .filter(({ paragraph }) => isProse(paragraph, text))
    .map(({ paragraph, isItem, isQuoted }) => ({
      text: inline(paragraph, text),
      isItem,
      written: isQuoted ? null : text.slice(paragraph.position?.start.offset, paragraph.position?.end.offset),
    }))
    .filter((block) => hasLettersOrDigits(block.text))
}

function parse(text: string, disabled: string[]): Node {
  return fromMarkdown(text, { extensions: [{ disable: { null: disabled } }] })
}

interface Paragraph {
  paragraph: Node
  isItem: boolean
  isQuoted: boolean
}

function* paragraphsIn(node: Node, isItem = false, isQuoted = false): Generator<Paragraph> {
  if (node.type === 'paragraph') yield { paragraph: node, isItem, isQuoted }
  if (!['root', 'list', 'listItem', 'blockquote'].includes(node.type) || !('children' in node)) return
  for (const [at, child] of node.children.entries())
    yield* paragraphsIn(child as Node, node.type === 'listItem' && at === 0, isQuoted || node.type === 'blockquote')
}

/** Excludes checkboxes, which come from a template, and paragraphs that contain only links and images. */
function isProse(paragraph: Node, source: string): boolean {
  const text = withoutLinks(paragraph, source)
  return !CHECKBOX.test(text) && hasLettersOrDigits(withoutAddresses(text))
}

/** The first blocks, up to `maxLength` characters in total. */
export function firstBlocks(blocks: Block[], maxLength: number): Block[] {
  const first: Block[] = []
  let left = maxLength
  for (const block of blocks) {
    // Leave out a block if only a fragment of a sentence fits, which is worse than nothing.
    if (left < 20) break
    const text = cut(block.text, left)
    first.push({ ...block, text })
    left -= text.length
  }
  return first
}
