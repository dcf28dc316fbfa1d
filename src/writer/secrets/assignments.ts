import { endFinder } from './endFinder.ts'
import type { Found } from './found.ts'
import { looksLikePassword, looksRandom } from './looksRandom.ts'

/** Names that suggest a secret. The last alternative is only a weak hint, because there are keys of many kinds. */
const NAMES =
  /(?<password>pass(?:word|wd|phrase)?|pwd)|(?<token>token|bearer)|(?<secret>secret|credential|(?:api|access|auth|private|signing|encrypt(?:ion)?|master|account|shared|service|client|session|app|hmac|jwt)[_-]?key)|(?<!public[_-]?|publishable[_-]?)(?<key>key|auth|salt|signature|webhook|dsn)/gi

/** The text from the end of a name to the start of its value. All repetitions are bounded. */
const SIGN = new RegExp(
  [
    /(?:\\?["'`\])]){0,3}/,
    /(?:\s{0,20}(?::\s{0,5}[A-Za-z]{3,12}\s{0,5}(?==))?(?<sign>=>|:=|={1,3}|!==?|[:,(>]|,?[\s>#/*]{1,20}["']?value["']?\s{0,5}[:=])\s{0,40}|[ \t]{1,5}(?:(?:is|was|to)[ \t])?)/,
    /(?:[A-Za-z@]{0,2}\\?(?<quote>["'`])(?=[^\s"'`]{8})|(?=[\w+/=.~!@#%^&*:?$-]{8}))/,
  ]
    .map(({ source }) => source)
    .join(''),
  'yi',
)
const AFTER_WORD = /[^\w-]/g
const AFTER_QUOTED = /[\s"'`]/g
const AFTER_BARE = /[^\w+/=.~!@#%^&*:?$-]/g
const MAY_FOLLOW_BARE = /[\s,;"'`)<\]}]/
const MAX_AFTER_NAME = 40
const MIN_LENGTH = 8
const MAX_QUOTED = 500
const MAX_BARE = 300
const MIN_AFTER_WEAK_HINT = 24
const HEX = /^[\da-f]+$/i
/**
 * How often a character may be tested as part of a value, on average. In normal text, too, several names share a value,
 * such as in `clientSecretToken`, but not this often.
 */
const TESTS_PER_CHARACTER = 8

interface Value {
  start: number
  end: number
  isQuoted: boolean
  hasSign: boolean
}

/** Finds literals that look random or like a password after a name that suggests a secret. */
export function foundByNames(text: string): Found[] {
  const spans: Found[] = []
  const valueAfter = valueFinder(text)
  const results = new Map<string, boolean>()
  let tested: Value | undefined
  let budget = text.length * TESTS_PER_CHARACTER
  for (const name of text.matchAll(NAMES)) {
    const value = valueAfter(name.index + name[0].length)
    const last = spans.at(-1)
    const isKnown = last && value && last.end === value.end && last.start <= value.start
    if (!value || isKnown) continue
    const kind = Object.entries(name.groups ?? {}).find(([, named]) => named)?.[0] ?? 'secret'
    const { start, end } = value
    if (tested !== value) results.clear()
    tested = value
    if (!results.has(kind)) {
      budget -= end - start
      // Only hostile input has so many names for overlapping values. Over budget, mask values without testing them.
      results.set(kind, budget < 0 || isSecret(text.slice(start, end), kind, value))
    }
    if (results.get(kind)) spans.push({ start, end, kind })
  }
  return spans
}

/**
 * Finds the value after a name. Several names can share a word, and several words a value, so each is scanned only
 * once.
 */
function valueFinder(text: string): (nameEnd: number) => Value | undefined {
  const endOfWord = endFinder(text, AFTER_WORD)
  const endOfQuoted = endFinder(text, AFTER_QUOTED)
  const endOfBare = endFinder(text, AFTER_BARE)
  let last: { wordEnd: number; value: Value | undefined } | undefined

  function valueAt(wordEnd: number): Value | undefined {
    SIGN.lastIndex = wordEnd
    const groups = SIGN.exec(text)?.groups
    if (!groups) return undefined
    const start = SIGN.lastIndex
    const hasSign = groups.sign !== undefined
    const end = groups.quote ? quotedEnd(start, groups.quote) : bareEnd(start)
    return end === undefined ? undefined : { start, end, hasSign, isQuoted: groups.quote !== undefined }
  }

  function quotedEnd(start: number, quote: string): number | undefined {
    const end = endOfQuoted(start)
    if (text[end] !== quote) return undefined
    const isEscaped = text[end - 1] === '\\' && end - 1 - start >= MIN_LENGTH
    const length = end - start - (isEscaped ? 1 : 0)
    return length <= MAX_QUOTED ? start + length : undefined
  }

  function bareEnd(start: number): number | undefined {
    const end = endOfBare(start)
    const follows = text[end]
    const isDelimited = follows === undefined || MAY_FOLLOW_BARE.test(follows)
    return isDelimited && end - start <= MAX_BARE ? end : undefined
  }

  return (nameEnd) => {
    const wordEnd = endOfWord(nameEnd)
    if (wordEnd - nameEnd > MAX_AFTER_NAME) return undefined
    if (last?.wordEnd !== wordEnd) last = { wordEnd, value: valueAt(wordEnd) }
    return last.value
  }
}

function isSecret(value: string, kind: string, { hasSign, isQuoted }: Value): boolean {
  if (kind === 'key') return !HEX.test(value) && looksRandom(value, MIN_AFTER_WEAK_HINT)
  if (!hasSign) return looksRandom(value, MIN_AFTER_WEAK_HINT)
  if (looksRandom(value)) return true
  return kind === 'password' && looksLikePassword(value) && (isQuoted || /[^\w.$:,?-]/.test(value))
}
