import { type Extension, fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { excessesOf, type Node } from '../markdown.ts'
import { ownHref } from '../ownHref.ts'

interface Link {
  url: string
  /** The position of the URL of a link written as [text](url); undefined for other links. */
  range: [start: number, end: number] | undefined
}

interface Markdown {
  nodes: Node[]
  links: Link[]
}

/** A bracket that is certainly closed, because no code, escape or HTML is in between. */
const CLOSED_BRACKET = /\[[^[\]`\\<]{0,300}\]/g
/** A text that would become longer than this is not rewritten: no text with links may be longer. */
const MAX_REWRITTEN_LENGTH = 4000

/** The nodes and links of a text that stays within the limits of `excessesOf`. */
export function parseMarkdown(text: string): Markdown {
  const destinations = new Map<object | undefined, Link['range']>()
  const recordDestinations: Extension = {
    enter: {
      resourceDestination({ start, end }) {
        destinations.set(this.stack.at(-1), [start.offset, end.offset])
      },
    },
  }
  // After an unclosed bracket, the micromark extension scans the text from the bracket again at every word. Leave it
  // out in that case: the mdast extension still finds URLs in the tree.
  const mayStayOpen = text.replace(CLOSED_BRACKET, '').includes('[')
  const root = fromMarkdown(text, {
    extensions: mayStayOpen ? [] : [gfmAutolinkLiteral()],
    mdastExtensions: [gfmAutolinkLiteralFromMarkdown(), recordDestinations],
  })
  const nodes = [...descendants(root)]
  const links = nodes
    .filter((node) => node.type === 'link')
    .map((link) => ({ url: link.url, range: destinations.get(link) }))
  return { nodes, links }
}

/** Whether a link leads to `host` and is written exactly as a browser would open it. */
export function isPlainLink({ url, range }: Link, text: string, host: string): boolean {
  return range !== undefined && ownHref(url, host) === text.slice(...range)
}

/** Writes each link to `host` as a browser would open it. Other links stay unchanged, and the check rejects them. */
export function withPlainLinks(text: string, host: string): string {
  if (excessesOf(text).length > 0) return text
  let rewritten = text
  for (const { url, range } of parseMarkdown(text).links.toReversed()) {
    const href = ownHref(url, host)
    if (href && range) rewritten = rewritten.slice(0, range[0]) + href + rewritten.slice(range[1])
  }
  return rewritten.length > Math.max(text.length, MAX_REWRITTEN_LENGTH) ? text : rewritten
}

function* descendants(node: Node): Generator<Node> {
  yield node
  if ('children' in node) for (const child of node.children) yield* descendants(child as Node)
}
