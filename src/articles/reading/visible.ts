/** Characters that show nothing or turn the text around them: format and control characters, fillers, selectors. */
const INVISIBLE =
  /[\p{Cf}\p{Co}\p{Cn}\p{Cs}\u115F\u1160\u3164\uFFA0\u2800\u2028\u2029]|[\uFE00-\uFE0E]|(?<!\p{Extended_Pictographic})\uFE0F|[\u{E0100}-\u{E01EF}]|(?![\t\n])\p{Cc}/gu

/** A text whose every character can be seen: what hides is written out by its number. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const number = character.codePointAt(0) ?? 0
    return `⟨U+${number.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

/** As `visible`, on one line. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll('\t', '  ')).replaceAll('\n', '⟨U+000A⟩')
}

/** A text without characters that show nothing, but for the joiners that some scripts are written with. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) => (character === '\u200C' || character === '\u200D' ? character : ''))
}
