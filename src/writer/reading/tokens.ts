import { loadOnce } from '../../lib/loadOnce.ts'

export type Count = (text: string) => number

/** Text rarely has more characters per token than this. Longer texts are cut or rejected before their tokens are counted. */
export const MAX_CHARACTERS_PER_TOKEN = 8
const MAX_RUN = 200

/**
 * Counts tokens as OpenAI's models do; other models count similarly. Loaded on first use, because its tables are large.
 */
export const tokenCounter = loadOnce<Count>(async () => {
  const { countTokens } = await import('./bytePairs.ts')
  return (text) => pieces(text).reduce((sum, piece) => sum + countTokens(piece), 0)
})

export async function countTokens(text: string): Promise<number> {
  return (await tokenCounter())(text)
}

/** Splits long runs of whitespace or of other characters, for which the tokenizer's time is more than linear. */
function pieces(text: string): string[] {
  if (!mayHaveLongRun(text)) return [text]
  const cut: string[] = []
  let start = 0
  let run = 0
  let wasSpace = false
  for (let at = 0; at < text.length; at += 1) {
    const space = isSpace(text.charCodeAt(at))
    run = space === wasSpace ? run + 1 : 1
    wasSpace = space
    if (run < MAX_RUN) continue
    cut.push(text.slice(start, at + 1))
    start = at + 1
    run = 0
  }
  return [...cut, text.slice(start)]
}

/**
 * Whether a text may contain MAX_RUN characters in a row that are all whitespace, or all something else. Such a run
 * fills at least one block of half that length. Most blocks turn out to be mixed within a few characters.
 */
function mayHaveLongRun(text: string): boolean {
  const block = MAX_RUN / 2
  for (let start = 0; start + block <= text.length; start += block) {
    const space = isSpace(text.charCodeAt(start))
    let at = start + 1
    while (at < start + block && isSpace(text.charCodeAt(at)) === space) at += 1
    if (at === start + block) return true
  }
  return false
}

function isSpace(code: number): boolean {
  if (code < 160) return code === 32 || (code >= 9 && code <= 13)
  return /\s/.test(String.fromCharCode(code))
}

/** The beginning of a text that fits `maxTokens`, in whole lines if at least one fits. */
export function fitting(count: Count, text: string, maxTokens: number): { text: string; whole: boolean } {
  const near = text.slice(0, maxTokens * MAX_CHARACTERS_PER_TOKEN)
  if (near.length === text.length && count(text) <= maxTokens) return { text, whole: true }
  const lines = near.split('\n')
  let used = 0
  const head: string[] = []
  for (const line of lines) {
    used += count(line) + 1
    if (used > maxTokens) break
    head.push(line)
  }
  return { text: head.length > 0 ? head.join('\n') : firstCharacters(count, lines[0] ?? '', maxTokens), whole: false }
}

/** Halves a line until it fits. A character takes only a few tokens, so a few rounds are enough. */
function firstCharacters(count: Count, line: string, maxTokens: number): string {
  let characters = [...line.slice(0, maxTokens * 4)]
  while (characters.length > 0 && count(characters.join('')) > maxTokens)
    characters = characters.slice(0, characters.length / 2)
  return characters.join('')
}
