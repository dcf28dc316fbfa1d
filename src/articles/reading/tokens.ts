export type Count = (text: string) => number

let counting: Promise<Count> | undefined

/** Counts tokens as OpenAI's models do; others come close. Loaded when first needed: its tables are large. */
export function tokenCounter(): Promise<Count> {
  counting ??= import('gpt-tokenizer/encoding/o200k_base').then(
    ({ countTokens }) =>
      (text) =>
        countTokens(text, { disallowedSpecial: new Set<string>() }),
  )
  return counting
}

/** The beginning of a text that fits, whole lines where there is more than one. */
export function fitting(count: Count, text: string, most: number): { text: string; whole: boolean } {
  if (count(text) <= most) return { text, whole: true }
  const lines = text.split('\n')
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
