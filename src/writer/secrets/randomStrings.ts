import type { Found } from './found.ts'
import { isMixedCase, looksRandom, meanRunOf } from './looksRandom.ts'

const MIN_LENGTH = 32
const MAX_LENGTH = 128
const MAX_PADDING = 2
/** Strings that are not secrets: public keys, hashes with a prefix, paths. */
const EXCLUDED = /^(?:AAAA|sha\d|diff-|\/\w+\/)/
const EXCLUDED_AFTER = /base64,$|\bh1:$/
const MIN_LINE = 60
const MAX_LINE = 140
const MAX_INDENT = 40
const MAX_BLANKS_AFTER = 3
const LINE_END = /[\n\r\u2028\u2029]/

const IN_RUN = Uint8Array.from({ length: 128 }, (_, code) => (/[\w+/-]/.test(String.fromCharCode(code)) ? 1 : 0))

/**
 * Finds random strings without any hint of their purpose. Excludes hexadecimal strings, which are usually hashes, and
 * lines of base64. Those are left to the search for private keys, which recognizes certificates.
 */
export function foundRandomStrings(text: string): Found[] {
  const spans: Found[] = []
  for (const { start, end } of longRuns(text)) {
    const padded = end + paddingAt(text, end)
    const isWhole = end - start <= MAX_LENGTH && !/[=\w+/-]/.test(text.charAt(padded))
    if (!isWhole) continue
    const value = text.slice(start, padded)
    const isExcluded = EXCLUDED.test(value) || EXCLUDED_AFTER.test(text.slice(Math.max(0, start - 8), start))
    if (isExcluded || fillsLine(text, start, end, padded) || !isRandom(value)) continue
    spans.push({ start, end: padded, kind: 'random string' })
  }
  return spans
}

/**
 * Finds runs of letters, digits and `_+/-`. Tests the last character of a possible run first to skip most of the text.
 */
function* longRuns(text: string): Generator<{ start: number; end: number }> {
  const isInRun = (at: number) => IN_RUN[text.charCodeAt(at)] === 1
  for (let start = 0; start + MIN_LENGTH <= text.length; ) {
    let last = start + MIN_LENGTH - 1
    while (last >= start && isInRun(last)) last -= 1
    if (last >= start) {
      start = last + 1
      continue
    }
    let end = start + MIN_LENGTH
    while (isInRun(end)) end += 1
    yield { start, end }
    start = end
  }
}

function paddingAt(text: string, end: number): number {
  let padding = 0
  while (padding < MAX_PADDING && text[end + padding] === '=') padding += 1
  return padding
}

function fillsLine(text: string, start: number, end: number, padded: number): boolean {
  if (end - start < MIN_LINE || !/^[A-Za-z0-9+/]+$/.test(text.slice(start, end))) return false
  const after = text.slice(padded, padded + MAX_BLANKS_AFTER + 1)
  const blanks = after.split(LINE_END, 1)[0] ?? ''
  const isLast = blanks.length <= MAX_BLANKS_AFTER && /^\s*$/.test(blanks)
  const before =
    text
      .slice(Math.max(0, start - MAX_LINE - MAX_INDENT), start)
      .split(LINE_END)
      .at(-1) ?? ''
  const length = before.length + padded - start + blanks.length
  const indent = before.slice(0, Math.max(0, length - MAX_LINE))
  return isLast && indent.length <= MAX_INDENT && /^[ \t]*$/.test(indent) && /^[A-Za-z0-9+/=\s]*$/.test(before)
}

function isRandom(value: string): boolean {
  return isMixedCase(value) && /\d.*\d/.test(value) && meanRunOf(value) < 2.2 && looksRandom(value)
}
