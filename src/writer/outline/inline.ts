import { htmlTagNames } from 'html-tag-names'
import type { Node } from '../markdown.ts'
import { code, harmless } from './text.ts'

const MAX_LENGTH = 2000
const FIRST_PLACEHOLDER = 0xe000
const PLACEHOLDER = /[\u{e000}-\u{f8ff}]/gu
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。]/u
const KNOWN_TAGS = new Set(htmlTagNames)

/**
 * A paragraph as Markdown that is safe to quote. Replaces code spans by placeholders while it cleans the rest, so that
 * links and tags inside code stay.
 */
export function inline(paragraph: Node, source: string): string {
  const spans: string[] = []
  const replace = (node: Node): string | undefined => {
    if (node.type === 'html') return tagToText(node.value)
    if (node.type === 'break') return '\n'
    if (isImage(node)) return ''
    if (isLink(node) && 'children' in node)
      return node.children.map((child) => written(child as Node, source, replace)).join('')
    if (node.type !== 'inlineCode') return undefined
    spans.push(code(node.value.replaceAll('`', "'")))
    return String.fromCharCode(FIRST_PLACEHOLDER + spans.length - 1)
  }
  const text = written(paragraph, source, replace).split('\n').reduce(joined)
  return harmless(text.slice(0, MAX_LENGTH))
    .replace(/[\u{e000}-\u{f8ff}](?=[\u{e000}-\u{f8ff}])/gu, '$& ')
    .replace(PLACEHOLDER, (placeholder) => spans[placeholder.charCodeAt(0) - FIRST_PLACEHOLDER] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The source of a paragraph without its links and images. */
export function withoutLinks(paragraph: Node, source: string): string {
  return written(paragraph, source, (node) => (isLink(node) || isImage(node) ? '' : undefined))
}

/** The source of a node, with some of the nodes in it replaced. */
function written(node: Node, source: string, replace: (node: Node) => string | undefined): string {
  const replaced = replace(node)
  if (replaced !== undefined) return replaced
  let text = ''
  let at = node.position?.start.offset ?? 0
  for (const child of 'children' in node ? node.children : []) {
    text += source.slice(at, child.position?.start.offset) + written(child as Node, source, replace)
    at = child.position?.end.offset ?? at
  }
  return text + source.slice(at, node.position?.end.offset)
}

function isImage({ type }: Node): boolean {
  return type === 'image' || type === 'imageReference'
}

/** Accepts only targets that look like a URL, because Markdown also parses code such as `list[i](x)` as a link. */
function isLink(node: Node): boolean {
  return node.type === 'linkReference' || (node.type === 'link' && /[/#:.]/.test(node.url))
}

function tagToText(tag: string): string {
  const name = /^<\/?([a-z][\w-]*)/i.exec(tag)?.[1]?.toLowerCase() ?? ''
  if (!KNOWN_TAGS.has(name)) return tag
  return /^(br|p|li|td|hr)$/.test(name) ? ' ' : ''
}

/** Joins two lines, with no space between Chinese or Japanese characters. Removes the `>` marks of a quotation. */
function joined(before: string, line: string): string {
  const after = line.replace(/^[\s>]+/, '')
  const isWide = WIDE.test(before.trimEnd().slice(-1)) && !/^[!-~\u{e000}-\u{f8ff}]/u.test(after)
  return isWide ? before.trimEnd() + after : `${before} ${after}`
}
