import { htmlTagNames } from 'html-tag-names'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'

type Node = ReturnType<typeof fromMarkdown>['children'][number] | ReturnType<typeof fromMarkdown>

const ALLOWED = [
  'root',
  'paragraph',
  'text',
  'emphasis',
  'strong',
  'inlineCode',
  'break',
  'list',
  'listItem',
  'link',
  'html',
]
const ELEMENTS = new Set(htmlTagNames)
const HTML = 'it holds HTML: write code between backticks'
/** Addresses that Markdown does not take for links. */
const OTHER_ADDRESS =
  /\b[a-z][a-z0-9+.-]*:\/\/\S|\b(javascript|vbscript):\S|\bdata:[\w.+-]*[/;,]\S|\bmailto:\S|(^|[\s(])\/\/[\w-]+\.[\w-]/i
const TABLE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$/m
/** Deeper than anybody reads, and than some parsers can. */
const NESTED = /^[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t]+){5}/m

/** What is in a text beyond restricted Markdown: emphasis, code spans, lists, links to the pull request's own host. */
export function faultsOfProse(text: string, hostPrUrl: string): string[] {
  if (NESTED.test(text)) return ['it holds lists within lists within lists']
  const faults = new Set<string>()
  const root = fromMarkdown(text, {
    extensions: [gfmAutolinkLiteral()],
    mdastExtensions: [gfmAutolinkLiteralFromMarkdown()],
  })
  visit(root, (node) => {
    const fault = faultOf(node, new URL(hostPrUrl).host)
    if (fault) faults.add(fault)
  })
  if (TABLE.test(text)) faults.add('it holds a table')
  return [...faults]
}

function faultOf(node: Node, ownHost: string): string | undefined {
  if (!ALLOWED.includes(node.type)) return `it holds Markdown of the kind "${node.type}", which is not allowed`
  if (node.type === 'html' && isElement(node.value)) return HTML
  if (node.type === 'link' && !isOwn(node.url, ownHost)) return `it holds a link to another place than ${ownHost}`
  if (node.type === 'text' && hasElement(node.value)) return HTML
  if (node.type === 'text' && OTHER_ADDRESS.test(node.value)) return 'it holds an address of a kind that is not allowed'
  return undefined
}

/** What Markdown takes for HTML may be no more than a type parameter, as in `Promise<void>`. */
function isElement(html: string): boolean {
  const bare = /^<\/?([A-Za-z][\w.-]*)\s*\/?>$/.exec(html)?.[1]
  return bare === undefined || ELEMENTS.has(bare.toLowerCase())
}

/** What Markdown does not take for HTML, a browser may. */
function hasElement(text: string): boolean {
  return [...text.matchAll(/<\/?([a-z][a-z0-9-]*)(?=[\s/>])/gi)].some(([, name = '']) =>
    ELEMENTS.has(name.toLowerCase()),
  )
}

function isOwn(address: string, ownHost: string): boolean {
  const url = URL.parse(address)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.host === ownHost && !url.username
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  if ('children' in node) for (const child of node.children) visit(child as Node, see)
}
