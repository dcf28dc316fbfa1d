import type { Found } from './found.ts'
import { looksLikePassword, looksRandom } from './likeness.ts'

/** The last alternative is a weak sign: there are keys of many kinds. */
const NAMES =
  /(?<password>pass(?:word|wd|phrase)?|pwd)|(?<token>token|bearer)|(?<secret>secret|credential|(?:api|access|auth|private|signing|encrypt(?:ion)?|master|account|shared|service|client|session|app|hmac|jwt)[_-]?key)|(?<!public[_-]?|publishable[_-]?)(?<key>key|auth|salt|signature|webhook|dsn)/gi

/** From the end of the name: the rest of it, what sets it apart from the value, then the value. All repeats are bounded. */
const VALUE = new RegExp(
  [
    /[\w-]{0,40}(?![\w-])(?:\\?["'`\])]){0,3}/,
    /(?:\s{0,20}(?::\s{0,5}[A-Za-z]{3,12}\s{0,5}(?==))?(?<sign>=>|:=|={1,3}|!==?|[:,(>]|,?[\s>#/*]{1,20}["']?value["']?\s{0,5}[:=])\s{0,40}|[ \t]{1,5}(?:(?:is|was|to)[ \t])?)/,
    /(?:[A-Za-z@]{0,2}\\?(?<quote>["'`])(?<quoted>[^\s"'`]{8,500}?)\\?\k<quote>|(?<bare>[\w+/=.~!@#%^&*:?$-]{8,300})(?=[\s,;"'`)<\]}]|$))/,
  ]
    .map(({ source }) => source)
    .join(''),
  'dyi',
)
const LEAST_AFTER_A_WEAK_SIGN = 24
const HEX = /^[\da-f]+$/i

/** Literals that look drawn at random, or like a password, where a name says that they are secret. */
export function foundByNames(text: string): Found[] {
  const found: Found[] = []
  for (const name of text.matchAll(NAMES)) {
    VALUE.lastIndex = name.index + name[0].length
    const { groups, indices } = VALUE.exec(text) ?? {}
    const span = indices?.groups?.quoted ?? indices?.groups?.bare
    const kind = Object.entries(name.groups ?? {}).find(([, named]) => named)?.[0] ?? 'secret'
    if (!span || !groups) continue
    const [start, end] = span
    const value = text.slice(start, end)
    if (isSecret(value, kind, groups)) found.push({ start, end, kind })
  }
  return found
}

function isSecret(value: string, kind: string, { sign, quoted }: Record<string, string | undefined>): boolean {
  if (kind === 'key') return !HEX.test(value) && looksRandom(value, LEAST_AFTER_A_WEAK_SIGN)
  if (!sign) return looksRandom(value, LEAST_AFTER_A_WEAK_SIGN)
  if (looksRandom(value)) return true
  return kind === 'password' && looksLikePassword(value) && (quoted !== undefined || /[^\w.$:,?-]/.test(value))
}
