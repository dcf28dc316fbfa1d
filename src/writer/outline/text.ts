import { withoutInvisible } from '../reading/visible.ts'

const ADDRESS = /<?(?:[a-z0-9+.-]{1,20}:\/\/|(?<![a-z0-9])www\.)[!-;=?-~]*>?/gi
const MAILBOX = /<?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})*\.[a-z]+>?/gi
const HOST = /\/\/[\w-]+\.[!-;=?-~]*/g
const ENTITY = /&(lt|gt|amp|quot|nbsp);/g
const OTHER_ENTITY = /&(?=#?\w+;)/g
const CHARACTERS: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' }
const SCHEME = /(?<![a-z0-9])(javascript|vbscript|data|file|blob|ftp|mailto|tel):(?=\S)/gi
/** The lookbehind keeps the time linear: matching starts only at the first of several marks. */
const PUNCTUATION_AT_END = /(?<![.,;:!?)\]}'"])[.,;:!?)\]}'"]+$/
const OMISSION = '[…]'
const MAX_CODE = 100
/** How many characters of a line of code are cleaned: a line may have a megabyte, but only 100 characters are shown. */
const MAX_READ_OF_CODE = 10_000
const MAX_PARTIAL_WORD = 15

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The text on one line, without invisible characters and direction marks. */
export function cleanLine(text: string): string {
  return withoutInvisible(text.replace(/\s+/g, ' ')).trim()
}

export function hasLettersOrDigits(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** Replaces URLs and mail addresses with `[…]`, because quoting untrusted addresses would endorse them. */
export function withoutAddresses(text: string): string {
  const links = /:\/\/|www\./i.test(text) ? text.replace(ADDRESS, omitted) : text
  return links.includes('@') ? links.replace(MAILBOX, omitted) : links
}

function omitted(address: string): string {
  return `${OMISSION}${PUNCTUATION_AT_END.exec(address)?.[0] ?? ''}`
}

/** Defuses Markdown syntax: the result contains no link, image, HTML or code. */
export function harmless(text: string): string {
  // An unknown entity must not decode to a character that was not checked.
  const decoded = text.replace(ENTITY, (_, name: string) => CHARACTERS[name] ?? '').replace(OTHER_ENTITY, '＆')
  return withoutAddresses(decoded)
    .replace(HOST, omitted)
    .replace(/<([^<>]*)>/g, '‹$1›')
    .replace(/<(?=[a-z/!?])/gi, '‹')
    .replace(SCHEME, '$1: ')
    .replaceAll('](', '] (')
    .replaceAll('`', "'")
}

/** Shortens a text to `maxLength` characters, between words if possible, never inside a grapheme or a code span. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const head = text.slice(0, graphemes.segment(text).containing(maxLength - 1)?.index ?? 0)
  const isInsideCode = head.split('`').length % 2 === 0
  const whole = isInsideCode ? head.slice(0, head.lastIndexOf('`')) : head
  const space = whole.lastIndexOf(' ')
  const isInsideWord = !isInsideCode && space > 0 && whole.length - space <= MAX_PARTIAL_WORD
  return `${(isInsideWord ? whole.slice(0, space) : whole).trimEnd()}…`
}

/**
 * The text as a code span; empty if no character is visible. If the text contains backticks, a longer fence encloses
 * it.
 */
export function code(text: string, maxLength = MAX_CODE): string {
  const content = cut(withoutAddresses(cleanLine(text.slice(0, MAX_READ_OF_CODE))), maxLength)
  if (!content.includes('`')) return content && `\`${content}\``
  const longest = Math.max(...content.split(/[^`]+/).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${content} ${fence}`
}

/** A path as a code span. Keeps the end of a long path, which tells more than its beginning. */
export function pathCode(path: string, maxLength = MAX_CODE): string {
  const line = cleanLine(path)
  const label = line.length <= maxLength ? line : `…${line.slice(1 - maxLength).toWellFormed()}`
  return code(label, maxLength)
}
