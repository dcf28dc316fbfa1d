import type { Found } from './found.ts'
import { entropyOf } from './likeness.ts'

interface Row {
  start: number
  text: string
  /** The base64 that is alone on the line, but for what quotes or indents it. */
  body: { start: number; length: number } | undefined
  /** The next row without such base64. */
  endOfRun: number
}

const KIND = 'private key'
const BEGIN = /-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/
const END = /-{4,5} ?END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/
const BEGIN_OF_SOMETHING_PUBLIC = /-----BEGIN (?![A-Z0-9 ]*PRIVATE)[A-Z0-9 ]{3,40}-----/
const IN_ONE_LINE = new RegExp(
  `${BEGIN.source}(?:(?:\\\\[nr]|[ \\t"'+,]){0,12}[A-Za-z0-9+/=]{30,20000}[A-Za-z0-9+/=\\\\ \\t]{0,20000}(?:${END.source})?|(?:(?!-----)[^\\n]){40,20000}${END.source})`,
  'g',
)
const BODY =
  /^((?:[\s>#*|"'`(]|\/\/|--){0,40})([A-Za-z0-9+/=]{1,10000})(?:\\[nr]){0,2}(?:["'`][\s+,;.)\\]{0,10}|[\s,;\\]{0,10})$/
const FILLER = /^[\s>#*|"'`/]{0,40}(?:[A-Z][A-Za-z-]{2,20}: .{0,200})?$/
const LONG_BODY = 30
const BARE_BODY = 60
const IMAGE = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|PHN2Z|PD94bW|AAABAA)/

/** Private keys in their armour, whole or cut by the edge of a hunk, and lines that can be the middle of one. */
export function foundPrivateKeys(text: string): Found[] {
  const rows = rowsOf(text)
  const found = keysInOneLine(text)
  for (let i = 0; i < rows.length; ) {
    const block = publicBlockAt(rows, i) ?? blockAt(rows, i) ?? endOfBlockAt(rows, i) ?? bareBlockAt(rows, i)
    if (block?.found) found.push(block.found)
    i = block?.next ?? i + 1
  }
  return found
}

interface Block {
  found?: Found
  /** The row after it. */
  next: number
}

function rowsOf(text: string): Row[] {
  let start = 0
  const rows = text.split('\n').map((line, i) => {
    const row = { start, text: line, body: bodyOf(line), endOfRun: i }
    start += line.length + 1
    return row
  })
  let endOfRun = rows.length
  for (const [i, row] of [...rows.entries()].reverse()) {
    if (!row.body) endOfRun = i
    row.endOfRun = endOfRun
  }
  return rows
}

function bodyOf(line: string): Row['body'] {
  const [, before = '', body] = BODY.exec(line) ?? []
  return body === undefined ? undefined : { start: before.length, length: body.length }
}

function keysInOneLine(text: string): Found[] {
  if (!BEGIN.test(text)) return []
  return [...text.matchAll(IN_ONE_LINE)]
    .filter(([all]) => /[A-Za-z0-9+/]{30}/.test(all.replace(BEGIN, '')))
    .map(({ 0: all, index }) => ({ start: index, end: index + all.length, kind: KIND }))
}

/** Such as a certificate. Where it takes the place of a private key, or the other way round, nothing is spared. */
function publicBlockAt(rows: Row[], first: number): Block | undefined {
  if (!BEGIN_OF_SOMETHING_PUBLIC.test(rows[first]?.text ?? '')) return undefined
  const next = endOfBody(rows, first + 1)
  const isMixed = rows.slice(Math.max(first - 1, 0), next).some(({ text }) => BEGIN.test(text))
  return isMixed ? undefined : { next }
}

/** From its first line to its last; to the last that can belong to it where a hunk ends before. */
function blockAt(rows: Row[], first: number): Block | undefined {
  const row = rows[first]
  const begin = row && BEGIN.exec(row.text)
  if (!begin) return undefined
  const next = endOfBody(rows, first + 1)
  const body = rows.slice(first + 1, next)
  const last = body.findLastIndex(isLong)
  if (last === -1) return { next }
  const start = row.start + begin.index
  const end = endOfMarker(rows[next])
  if (end !== undefined) return { found: { start, end, kind: KIND }, next: next + 1 }
  const tail = isTail(body[last + 1]) ? last + 1 : last
  return { found: { start, end: endOf(body[tail]), kind: KIND }, next: first + tail + 2 }
}

/** Where old and new lines are interleaved, a block can begin twice before it ends. */
function endOfBody(rows: Row[], first: number): number {
  let next = first
  for (let row = rows[next]; row && isWithinBlock(row); row = rows[next]) next += 1
  return next
}

function isWithinBlock({ text, body }: Row): boolean {
  return body !== undefined || FILLER.test(text) || BEGIN.test(text)
}

/** The last lines of a key whose first the hunk does not show. */
function endOfBlockAt(rows: Row[], first: number): Block | undefined {
  const row = rows[first]
  if (!row?.body) return undefined
  const end = endOfMarker(rows[row.endOfRun])
  return end === undefined ? undefined : { found: { start: startOf(row), end, kind: KIND }, next: row.endOfRun + 1 }
}

function endOfMarker(row: Row | undefined): number | undefined {
  const end = row && !BEGIN.test(row.text) && END.exec(row.text)
  return end ? row.start + end.index + end[0].length : undefined
}

/** Lines of base64 out of the middle of something. */
function bareBlockAt(rows: Row[], first: number): Block | undefined {
  let next = first
  while (isBare(rows[next])) next += 1
  if (next === first) return undefined
  if (isTail(rows[next])) next += 1
  return { found: { start: startOf(rows[first]), end: endOf(rows[next - 1]), kind: KIND }, next }
}

function isLong({ body }: Row): boolean {
  return body !== undefined && body.length >= LONG_BODY
}

function isBare(row: Row | undefined): boolean {
  if (!row?.body || row.body.length < BARE_BODY) return false
  const body = bodyTextOf(row)
  const has = (pattern: RegExp, times: number) => (body.match(pattern)?.length ?? 0) >= times
  return has(/[a-z]/g, 3) && has(/[A-Z]/g, 3) && has(/\d/g, 2) && entropyOf(body) > 3.5 && !IMAGE.test(body)
}

/** The last line of a key is shorter than the others. */
function isTail(row: Row | undefined): boolean {
  const body = row ? bodyTextOf(row) : ''
  return body.endsWith('=') || (body.length >= 8 && /[a-z]/.test(body) && /[A-Z]/.test(body) && /\d/.test(body))
}

function bodyTextOf({ text, body }: Row): string {
  return body ? text.slice(body.start, body.start + body.length) : ''
}

function startOf(row: Row | undefined): number {
  return row ? row.start + (row.body?.start ?? 0) : 0
}

function endOf(row: Row | undefined): number {
  return row ? row.start + (row.body ? row.body.start + row.body.length : row.text.length) : 0
}
