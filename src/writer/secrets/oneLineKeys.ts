import { firstIndex } from '../../lib/firstIndex.ts'
import { endFinder } from './endFinder.ts'
import type { Found } from './found.ts'

export const PRIVATE_KEY = 'private key'
export const BEGIN = /-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/
export const END = /-{4,5} ?END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/

const EVERY_BEGIN = new RegExp(BEGIN.source, 'g')
const EVERY_END = new RegExp(`(?=(${END.source}))`, 'g')
/** The body of a key in base64 with escaped line ends, and an optional END mark. */
const ESCAPED_BODY = new RegExp(
  `(?:\\\\[nr]|[ \\t"'+,]){0,12}[A-Za-z0-9+/=]{30,20000}[A-Za-z0-9+/=\\\\ \\t]{0,20000}(?:${END.source})?`,
  'y',
)
const END_OF_ANY_BODY = /-----|\n/g
const MIN_BODY = 39
const MAX_BODY = 20_000

/** Finds private keys from BEGIN to END on one line, such as in JSON. */
export function keysInOneLine(text: string): Found[] {
  if (!BEGIN.test(text)) return []
  const spans: Found[] = []
  const endOfBody = bodyEndFinder(text)
  EVERY_BEGIN.lastIndex = 0
  for (let begin = EVERY_BEGIN.exec(text); begin; begin = EVERY_BEGIN.exec(text)) {
    const start = begin.index
    const body = start + begin[0].length
    const end = endOfBody(body)
    // If no key ends here, search on from inside this mark, because the dashes at its end can start the next mark.
    EVERY_BEGIN.lastIndex = end ?? start + 1
    if (end !== undefined && /[A-Za-z0-9+/]{30}/.test(text.slice(body, end)))
      spans.push({ start, end, kind: PRIVATE_KEY })
  }
  return spans
}

function bodyEndFinder(text: string): (body: number) => number | undefined {
  const ends = [...text.matchAll(EVERY_END)].map(({ 1: mark = '', index }) => ({
    start: index,
    end: index + mark.length,
  }))
  const stopOf = endFinder(text, END_OF_ANY_BODY)
  return (body) => {
    ESCAPED_BODY.lastIndex = body
    if (ESCAPED_BODY.test(text)) return ESCAPED_BODY.lastIndex
    const max = Math.min(stopOf(body), body + MAX_BODY)
    // Binary search, because hostile input can hold thousands of marks on one line.
    const last = ends[firstIndex(ends.length, (i) => (ends[i]?.start ?? 0) > max) - 1]
    return last && last.start >= body + MIN_BODY ? last.end : undefined
  }
}
