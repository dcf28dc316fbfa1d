import { htmlTagNames } from 'html-tag-names'
import { excessesOf, type Node } from '../markdown.ts'
import { withoutInvisible } from '../reading/visible.ts'
import { isPlainLink, parseMarkdown, withPlainLinks } from './links.ts'

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
/** URLs that Markdown does not recognize as links. */
const OTHER_ADDRESS =
  /(?<=(?<![a-z0-9])[a-z][a-z0-9+.-]*):\/\/\S|(?<![a-z0-9])((javascript|vbscript|mailto):\S|data:[\w.+-]*[/;,]\S)|(?<![\w:/.])\/\/[\w-]+\.[\w-]/i
const TABLE = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+(?:\|[ \t]*)?$/m

/** Normalizes a text before it is checked and stored. */
export function cleanProse(text: string, hostPrUrl: string): string {
  return withPlainLinks(cleanText(text), new URL(hostPrUrl).host)
}

/** Like `cleanProse`, for a text without links, such as a title. */
export function cleanText(text: string): string {
  return withoutInvisible(text)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Reports everything but emphasis, code spans, lists and links to the pull request's own host. */
export function markdownErrors(text: string, hostPrUrl: string): string[] {
  const excesses = excessesOf(text)
  if (excesses.length > 0) return excesses
  const { nodes, links } = parseMarkdown(text)
  const { host } = new URL(hostPrUrl)
  const errors = new Set(nodes.map(errorOf).filter((error) => error !== undefined))
  if (!links.every((link) => isPlainLink(link, text, host)))
    errors.add(`it holds a link that is not written [text](address), with a percent-encoded address of ${host}`)
  if (TABLE.test(text)) errors.add('it holds a table')
  return [...errors]
}

function errorOf(node: Node): string | undefined {
  if (!ALLOWED.includes(node.type)) return `it holds Markdown of the kind "${node.type}", which is not allowed`
  if (node.type === 'html' && isElement(node.value)) return HTML
  if (node.type === 'text' && hasElement(node.value)) return HTML
  if (node.type === 'text' && OTHER_ADDRESS.test(node.value)) return 'it holds an address of a kind that is not allowed'
  return undefined
}

/** Whether Markdown's HTML is an element. Markdown also parses type parameters, as in `Promise<void>`, as HTML. */
function isElement(html: string): boolean {
  const bare = /^<\/?([A-Za-z][\w.-]*)\s*\/?>$/.exec(html)?.[1]
  return bare === undefined || ELEMENTS.has(bare.toLowerCase())
}

/** Whether a text contains an HTML element that Markdown does not recognize but a browser may. */
function hasElement(text: string): boolean {
  return [...text.matchAll(/<\/?([a-z][a-z0-9-]*)(?=[\s/>])/gi)].some(([, name = '']) =>
    ELEMENTS.has(name.toLowerCase()),
  )
}
