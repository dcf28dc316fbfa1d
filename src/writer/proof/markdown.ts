import { type Extension, fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { ownHref } from '../ownHref.ts'

type Root = ReturnType<typeof fromMarkdown>
export type Node = Root | Root['children'][number]

interface Link {
  url: string
  /** Where the source holds the address of a link written as [text](address); undefined for any other. */
  range: [start: number, end: number] | undefined
}

interface Markdown {
  nodes: Node[]
  links: Link[]
}

/** The parser's time is quadratic in these counts. Honest texts stay far below the limits. */
const LIMITS: [most: number, of: RegExp, error: string][] = [
  [300, /[*_]/g, 'it holds more emphasis marks than a text needs'],
  [100, /\[/g, 'it holds more square brackets than a text needs'],
  [100, /</g, 'it holds more angle brackets than a text needs'],
  [100, /@/g, 'it holds more addresses than a text needs'],
  [400, /[`\\]/g, 'it holds more backticks and backslashes than a text needs'],
  [200, /\r\n?|\n/g, 'it holds more lines than a text needs'],
]
/** Deeper nesting than any reader needs, and than some parsers can handle. */
const NESTED = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){5}/m
/** A bracket that the parser is certain to see closed: no code, escape or HTML in between. */
const CLOSED_BRACKET = /\[[^[\]`\\<]{0,300}\]/g
/** The smallest `maxLength` that the contract sets for a text with links. */
const MAX_REWRITTEN_LENGTH = 4000

/** What a text holds too much of to be parsed in a reasonable time. */
export function excessesOf(text: string): string[] {
  if (NESTED.test(text)) return ['it holds lists within lists within lists']
  return LIMITS.filter(([most, of]) => (text.match(of)?.length ?? 0) > most).map(([, , error]) => error)
}

/** The nodes and links of a text without excesses. */
export function parseMarkdown(text: string): Markdown {
  const destinations = new Map<object | undefined, Link['range']>()
  const recordDestinations: Extension = {
    enter: {
      resourceDestination({ start, end }) {
        destinations.set(this.stack.at(-1), [start.offset, end.offset])
      },
    },
  }
  // After an open bracket the first extension walks back to it at every word. Without it, the other one still finds
  // addresses in the tree.
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

/** The text with each link to `host` written as a browser would open it. Other links stay, for the check to refuse. */
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
