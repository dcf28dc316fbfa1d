import { html, type SafeHtml } from '@remix-run/html-template'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { excessesOf, type Node } from '../markdown.ts'
import { ownHref } from '../ownHref.ts'

interface Source {
  text: string
  host: string
}

const MAX_UNBROKEN_CHARACTERS = 20
/** Characters that change the direction of the text around them. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g

/**
 * Renders restricted Markdown. The HTML can load or run nothing, and its links lead to one host only. Does not use
 * hast-util-to-html, which does not escape `>` and quotation marks in text: feeds hold the HTML as CDATA, and the
 * URLs of citations are filled in wherever `href="` precedes their placeholder.
 */
export function proseWith(host: string): (text: string) => SafeHtml {
  return (given) => {
    const text = withoutBidiControls(given)
    // The parser takes quadratic time for some marks. Show a text unparsed if it has more of them than any checked
    // text.
    if (excessesOf(text).length > 0) return html`<p>${text}</p>\n`
    return render(fromMarkdown(text), { text, host })
  }
}

/** Like `proseWith`, for table cells, captions and other short texts: a single paragraph is rendered without its tag. */
export function phraseWith(host: string): (text: string) => SafeHtml {
  return (given) => {
    const text = withoutBidiControls(given)
    if (excessesOf(text).length > 0) return html`${text}`
    const root = fromMarkdown(text)
    const [first, second] = root.children
    return first?.type === 'paragraph' && !second ? contentOf(first, { text, host }) : render(root, { text, host })
  }
}

/** Appends `tail` to the last line of rendered text, inside the elements that end there. */
export function appended(prose: SafeHtml, tail: SafeHtml): SafeHtml {
  const text = String(prose)
  let end = text.length
  for (let closing: string | undefined = ''; closing !== undefined; ) {
    end -= closing.length
    closing = CLOSING.find((tag) => text.endsWith(tag, end))
  }
  return html.raw`${text.slice(0, end)}${tail}${text.slice(end)}`
}

const CLOSING = ['\n', '</p>', '</li>', '</ul>', '</ol>']

/**
 * Renders a title for a heading or a link. Only code spans are rendered; anything else is text, such as `__init__` or
 * `a*b*c`.
 */
export function titleHtml(title: string): SafeHtml {
  return html`${titleParts(title).map(({ text, isCode }) => (isCode ? codeSpan(text) : html`${text}`))}`
}

/** A title as plain text. */
export function titleText(title: string): string {
  return titleParts(title)
    .map(({ text }) => text)
    .join('')
    .trim()
}

/** The beginning of restricted Markdown as plain text on one line. */
export function proseText(given: string, maxLength: number): string {
  const text = withoutBidiControls(given.slice(0, 3 * maxLength))
  return (excessesOf(text).length > 0 ? text : textOf(fromMarkdown(text)))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
}

/** Renders a code span. Short code stays on one line; longer code may break anywhere. */
export function codeSpan(text: string): SafeHtml {
  return text.length > MAX_UNBROKEN_CHARACTERS ? html`<code class="long">${text}</code>` : html`<code>${text}</code>`
}

/** The URL if it is an HTTP or HTTPS URL, otherwise `#`. */
export function webAddress(text: string): string {
  return /^https?:\/\//i.test(text) ? text : '#'
}

function render(node: Node, source: Source): SafeHtml {
  switch (node.type) {
    case 'root':
      return contentOf(node, source)
    case 'paragraph':
      return html`<p>${contentOf(node, source)}</p>\n`
    case 'list': {
      const isLoose = node.spread === true || node.children.some((item) => item.spread === true)
      const items = node.children.map((item) => html`<li>${itemContent(item, isLoose, source)}</li>\n`)
      if (!node.ordered) return html`<ul>\n${items}</ul>\n`
      return node.start === 1 ? html`<ol>\n${items}</ol>\n` : html`<ol start="${String(node.start)}">\n${items}</ol>\n`
    }
    case 'text':
      return html`${node.value}`
    case 'emphasis':
      return html`<em>${contentOf(node, source)}</em>`
    case 'strong':
      return html`<strong>${contentOf(node, source)}</strong>`
    case 'inlineCode':
      return codeSpan(node.value)
    case 'break':
      return html`<br>\n`
    case 'link': {
      const href = ownHref(node.url, source.host)
      return href ? html`<a href="${href}">${contentOf(node, source)}</a>` : writtenAs(node, source)
    }
    case 'html':
    case 'image':
    case 'imageReference':
    case 'linkReference':
      return writtenAs(node, source)
    default:
      return html`<p>${writtenAs(node, source)}</p>\n`
  }
}

function contentOf({ type, children }: { type: string; children: object[] }, source: Source): SafeHtml {
  const isBlock = type === 'root'
  return html`${children.map((child) => (isBlock ? renderBlock(child as Node, source) : render(child as Node, source)))}`
}

/** Renders a block. HTML between paragraphs becomes a paragraph. */
function renderBlock(node: Node, source: Source): SafeHtml {
  return node.type === 'html' ? html`<p>${writtenAs(node, source)}</p>\n` : render(node, source)
}

/** Renders a list item. In a list without blank lines, the text of items is not in paragraphs. */
function itemContent(item: Extract<Node, { type: 'listItem' }>, isLoose: boolean, source: Source): SafeHtml {
  return html`${item.children.map((child) =>
    child.type === 'paragraph' && !isLoose ? contentOf(child, source) : html`\n${renderBlock(child, source)}`,
  )}`
}

/** The source of a node, for syntax that is not rendered but shown as it was written. */
function writtenAs({ position }: Node, { text }: Source): SafeHtml {
  return html`${text.slice(position?.start.offset, position?.end.offset)}`
}

function textOf(node: Node): string {
  if (node.type === 'break') return ' '
  if ('value' in node) return node.value
  if (!('children' in node)) return ''
  const holdsBlocks = ['root', 'list', 'listItem'].includes(node.type)
  return node.children.map((child) => textOf(child as Node)).join(holdsBlocks ? ' ' : '')
}

interface TitlePart {
  text: string
  isCode: boolean
}

/**
 * Splits a title into text and code spans. A code span reaches from a run of backticks to the next run of the same
 * length.
 */
export function titleParts(given: string): TitlePart[] {
  const title = withoutBidiControls(given)
  const runs = [...title.matchAll(/`+/g)]
  const closers = new Map<number, number>()
  const closerOf = new Map<number, number>()
  for (const [i, [run]] of [...runs.entries()].toReversed()) {
    const closer = closers.get(run.length)
    if (closer !== undefined) closerOf.set(i, closer)
    closers.set(run.length, i)
  }
  const parts: TitlePart[] = []
  let end = 0
  for (let i = 0; i < runs.length; i++) {
    const [open, close] = [runs[i], runs[closerOf.get(i) ?? -1]]
    if (!open || !close) continue
    const start = open.index + open[0].length
    parts.push({ text: title.slice(end, open.index), isCode: false })
    parts.push({ text: codeText(title.slice(start, close.index)), isCode: true })
    end = close.index + close[0].length
    i = closerOf.get(i) ?? i
  }
  return [...parts, { text: title.slice(end), isCode: false }]
}

/** The content of a code span, without the two spaces that separate it from the backticks around it. */
function codeText(text: string): string {
  return text.replaceAll('\n', ' ').replace(/^ (.*[^ ].*) $/, '$1')
}

function withoutBidiControls(text: string): string {
  return text.replace(BIDI_CONTROLS, '')
}
