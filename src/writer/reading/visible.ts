/** Invisible characters and those that change the text direction: format and control characters, fillers, selectors. */
const INVISIBLE =
  /[\p{Cf}\p{Co}\p{Cn}\p{Cs}\u115F\u1160\u3164\uFFA0\u2800\u2028\u2029]|[\uFE00-\uFE0E]|(?<!\p{Extended_Pictographic})\uFE0F|[\u{E0100}-\u{E01EF}]|(?![\t\n])\p{Cc}/gu

const INVISIBLE_RUN = new RegExp(`(?:${INVISIBLE.source}){1,1000}`, 'gu')
/** Printable ASCII, such as most lines of code, in which nothing needs to be replaced. */
const PLAIN = /^[\t\n -~]*$/

const writtenOut = new Map<string, string>()
const MAX_WRITTEN_OUT = 10_000

/** Replaces invisible characters by their code points, such as ⟨U+202E⟩. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replace(INVISIBLE_RUN, (run) => Array.from(run, writeOut).join(''))
}

/** The code point of a character as text. Cached, because hostile input may consist of invisible characters only. */
function writeOut(character: string): string {
  const entry = writtenOut.get(character)
  if (entry) return entry
  const number = character.codePointAt(0) ?? 0
  const written = `⟨U+${number.toString(16).toUpperCase().padStart(4, '0')}⟩`
  if (writtenOut.size < MAX_WRITTEN_OUT) writtenOut.set(character, written)
  return written
}

/** Like `visible`, but returns a single line. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll('\t', '  ')).replaceAll('\n', '⟨U+000A⟩')
}

/** Removes invisible characters except the joiners that some scripts need. */
export function withoutInvisible(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replace(INVISIBLE, (character) => (character === '\u200C' || character === '\u200D' ? character : ''))
}
