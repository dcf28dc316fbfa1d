import type { Found } from './found.ts'
import { entropyOf } from './looksRandom.ts'
import { BEGIN, END, keysInOneLine, PRIVATE_KEY } from './oneLineKeys.ts'
import { bodyTextOf, type Row, rowsOf } from './rows.ts'

const PUBLIC_BEGIN = /-----BEGIN (?![A-Z0-9 ]*PRIVATE)[A-Z0-9 ]{3,40}-----/
const FILLER = /^[\s>#*|"'`/]{0,40}(?:[A-Z][A-Za-z-]{2,20}: .{0,200})?$/
const LONG_BODY = 30
const BARE_BODY = 60
const IMAGE = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|PHN2Z|PD94bW|AAABAA)/

/** Finds PEM private keys, whole or cut off by the edge of a hunk, and lines that may be the middle of one. */
export function foundPrivateKeys(text: string): Found[] {
  const rows = rowsOf(text)
  const spans = keysInOneLine(text)
  const pemBlockAt = /-{4} ?(?:BEGIN|END) /.test(text) ? pemFinder(rows) : () => undefined
  for (let i = 0; i < rows.length; ) {
    const block = pemBlockAt(i) ?? bareBlockAt(rows, i)
    if (block?.found) spans.push(block.found)
    i = block?.next ?? i + 1
  }
  return spans
}

interface Block {
  found?: Found
  /** The index of the row after the block. */
  next: number
}

/** Finds PEM blocks. A block can start on every row, so the facts about the surrounding rows are computed once. */
function pemFinder(rows: Row[]): (first: number) => Block | undefined {
  const { endOfBody, beginsBefore, lastLongBefore } = rowFacts(rows)
  const markerEnds = new Map<number, number | undefined>()

  /** Skips a public block, such as a certificate, unless a private key begins among or right before its lines. */
  function publicBlockAt(first: number): Block | undefined {
    if (!PUBLIC_BEGIN.test(rows[first]?.text ?? '')) return undefined
    const next = endOfBody[first + 1] ?? rows.length
    const isMixed = beginsBefore[next] !== beginsBefore[Math.max(first - 1, 0)]
    return isMixed ? undefined : { next }
  }

  /** A key from its first line to its END mark, or to the last possible line if the hunk ends before that mark. */
  function blockAt(first: number): Block | undefined {
    const row = rows[first]
    const begin = row && BEGIN.exec(row.text)
    if (!begin) return undefined
    const next = endOfBody[first + 1] ?? rows.length
    const last = lastLongBefore[next] ?? -1
    if (last <= first) return { next }
    const start = row.start + begin.index
    const end = endOfMarker(next)
    if (end !== undefined) return { found: { start, end, kind: PRIVATE_KEY }, next: next + 1 }
    const tail = last + 1 < next && isTail(rows[last + 1]) ? last + 1 : last
    return { found: { start, end: endOf(rows[tail]), kind: PRIVATE_KEY }, next: tail + 1 }
  }

  /** The last lines of a key whose first lines are outside the hunk. */
  function endOfBlockAt(first: number): Block | undefined {
    const row = rows[first]
    if (!row?.body) return undefined
    const end = endOfMarker(row.endOfRun)
    return end === undefined
      ? undefined
      : { found: { start: startOf(row), end, kind: PRIVATE_KEY }, next: row.endOfRun + 1 }
  }

  function endOfMarker(at: number): number | undefined {
    if (markerEnds.has(at)) return markerEnds.get(at)
    const row = rows[at]
    const end = row && !BEGIN.test(row.text) && END.exec(row.text)
    const markerEnd = end ? row.start + end.index + end[0].length : undefined
    markerEnds.set(at, markerEnd)
    return markerEnd
  }

  return (first) => publicBlockAt(first) ?? blockAt(first) ?? endOfBlockAt(first)
}

/**
 * For each row: the end of a key body that starts there, the number of keys that begin before it, and the last long row
 * before it.
 */
function rowFacts(rows: Row[]) {
  const endOfBody: number[] = new Array(rows.length + 1).fill(rows.length)
  const beginsBefore: number[] = [0]
  const lastLongBefore: number[] = [-1]
  const isBegin = rows.map(({ text }) => BEGIN.test(text))
  for (const [i, row] of rows.entries()) {
    beginsBefore.push((beginsBefore[i] ?? 0) + (isBegin[i] ? 1 : 0))
    lastLongBefore.push(isLong(row) ? i : (lastLongBefore[i] ?? -1))
  }
  // Old and new lines can be interleaved, so that a block begins twice before it ends. A second BEGIN does not end the
  // body.
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const { body, text } = rows[i] as Row
    const isWithin = body !== undefined || isBegin[i] || FILLER.test(text)
    endOfBody[i] = isWithin ? (endOfBody[i + 1] ?? rows.length) : i
  }
  return { endOfBody, beginsBefore, lastLongBefore }
}

/** Lines of base64 without BEGIN or END marks, which may be the middle of a key. */
function bareBlockAt(rows: Row[], first: number): Block | undefined {
  let next = first
  while (isBare(rows[next])) next += 1
  if (next === first) return undefined
  if (isTail(rows[next])) next += 1
  return { found: { start: startOf(rows[first]), end: endOf(rows[next - 1]), kind: PRIVATE_KEY }, next }
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

/** Whether a row can be the last line of a key, which is shorter than the others. */
function isTail(row: Row | undefined): boolean {
  const body = row ? bodyTextOf(row) : ''
  return body.endsWith('=') || (body.length >= 8 && /[a-z]/.test(body) && /[A-Z]/.test(body) && /\d/.test(body))
}

function startOf(row: Row | undefined): number {
  return row ? row.start + (row.body?.start ?? 0) : 0
}

function endOf(row: Row | undefined): number {
  return row ? row.start + (row.body ? row.body.start + row.body.length : row.text.length) : 0
}
