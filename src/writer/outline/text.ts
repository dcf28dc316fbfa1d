import { withoutInvisible } from '../reading/visible.ts'

const ADDRESS = /<?(?:[a-z0-9+.-]{1,20}:\/\/|(?<![a-z0-9])www\.)[!-;=?-~]*>?/gi
const MAILBOX = /<?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})*\.[a-z]+>?/gi
const HOST = /\/\/[\w-]+\.[!-;=?-~]*/g
const ENTITY = /&(lt|gt|amp|quot|nbsp);/g
const OTHER_ENTITY = /&(?=#?\w+;)/g
const CHARACTERS: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' }
const SCHEME = /(?<![a-z0-9])(javascript|vbscript|data|file|blob|ftp|mailto|tel):(?=\S)/gi
/** The lookbehind keeps it linear: only the beginning of a row of marks is tried. */
const PUNCTUATION_AT_END = /(?<![.,;:!?)\]}'"])[.,;:!?)\]}'"]+$/
const OMISSION = '[…]'
const MAX_CODE = 100
/** Only 100 characters are shown in the end, so the rest of a line of a megabyte need not be cleaned. */
const MAX_READ_OF_CODE = 10_000
const MAX_STUMP = 15

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** One line of what can be seen: nothing hides in it, or turns the direction of what follows. */
export function visible(text: string): string {
  return withoutInvisible(text.replace(/\s+/g, ' ')).trim()
}

export function saysSomething(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** Addresses are left out, visibly: whoever quotes them vouches for them. */
export function withoutAddresses(text: string): string {
  const links = /:\/\/|www\./i.test(text) ? text.replace(ADDRESS, omitted) : text
  return links.includes('@') ? links.replace(MAILBOX, omitted) : links
}

function omitted(address: string): string {
  return `${OMISSION}${PUNCTUATION_AT_END.exec(address)?.[0] ?? ''}`
}

/** Text that Markdown takes for nothing but text: no link, no image, no HTML, no code. */
export function harmless(text: string): string {
  // An entity that is not known here must not become a character that has not been looked at.
  const decoded = text.replace(ENTITY, (_, name: string) => CHARACTERS[name] ?? '').replace(OTHER_ENTITY, '＆')
  return withoutAddresses(decoded)
    .replace(HOST, omitted)
    .replace(/<([^<>]*)>/g, '‹$1›')
    .replace(/<(?=[a-z/!?])/gi, '‹')
    .replace(SCHEME, '$1: ')
    .replaceAll('](', '] (')
    .replaceAll('`', "'")
}

/** At most that long, cut between words or at least characters, and never inside a code span. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const kept = text.slice(0, graphemes.segment(text).containing(longest - 1)?.index ?? 0)
  const isInsideCode = kept.split('`').length % 2 === 0
  const whole = isInsideCode ? kept.slice(0, kept.lastIndexOf('`')) : kept
  const space = whole.lastIndexOf(' ')
  const isInsideWord = !isInsideCode && space > 0 && whole.length - space <= MAX_STUMP
  return `${(isInsideWord ? whole.slice(0, space) : whole).trimEnd()}…`
}

/** A code span, or nothing where nothing can be seen. Backticks in it are kept apart by a longer row of them around. */
export function code(text: string): string {
  const shown = cut(withoutAddresses(visible(text.slice(0, MAX_READ_OF_CODE))), MAX_CODE)
  if (!shown.includes('`')) return shown && `\`${shown}\``
  const longest = Math.max(...shown.split(/[^`]+/).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${shown} ${fence}`
}

/** A path as a code span. Its end tells more than its beginning. */
export function pathCode(path: string): string {
  const shown = visible(path)
  return code(shown.length <= MAX_CODE ? shown : `…${shown.slice(1 - MAX_CODE).toWellFormed()}`)
}
