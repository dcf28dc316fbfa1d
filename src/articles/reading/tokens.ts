export type Count = (text: string) => number

/** More than that a text seldom has; what lies beyond is not even counted. */
const MOST_CHARACTERS_PER_TOKEN = 8
const PLAIN = { disallowedSpecial: new Set<string>() }
const LONG_RUN = /\S{200}|\s{200}/g

let counting: Promise<Count> | undefined

/** Counts tokens as OpenAI's models do; others come close. Loaded when first needed: its tables are large. */
export function tokenCounter(): Promise<Count> {
  counting ??= import('gpt-tokenizer/encoding/o200k_base').then(
    ({ countTokens }) =>
      (text) =>
        pieces(text).reduce((sum, piece) => sum + countTokens(piece, PLAIN), 0),
  )
  return counting
}

/** What has no break in it for long takes a tokenizer longer than it is long: such runs are counted in pieces. */
function pieces(text: string): string[] {
  return text.replace(LONG_RUN, (run) => `${run}\0`).split('\0')
}

/** The beginning of a text that fits, whole lines where there is more than one. */
export function fitting(count: Count, text: string, most: number): { text: string; whole: boolean } {
  const near = text.slice(0, most * MOST_CHARACTERS_PER_TOKEN)
  if (near.length === text.length && count(text) <= most) return { text, whole: true }
  const lines = near.split('\n')
  let used = 0
  const kept: string[] = []
  for (const line of lines) {
    used += count(line) + 1
    if (used > most) break
    kept.push(line)
  }
  return { text: kept.length > 0 ? kept.join('\n') : firstCharacters(count, lines[0] ?? '', most), whole: false }
}

/** No character takes more than a few tokens, so a text cut to a share of `most` characters fits. */
function firstCharacters(count: Count, line: string, most: number): string {
  let characters = [...line.slice(0, most * 4)]
  while (characters.length > 0 && count(characters.join('')) > most)
    characters = characters.slice(0, characters.length / 2)
  return characters.join('')
}
