const TELLING_LENGTH = 40

/** Whether a text holds a sentence of the instructions. */
export function repeats(text: string, instructions: string): boolean {
  const said = plain(text)
  return sentencesOf(instructions).some((sentence) => said.includes(sentence))
}

let last: { instructions: string; sentences: string[] } | undefined

/** Cached: all texts of an answer are held against the same instructions. */
function sentencesOf(instructions: string): string[] {
  if (last?.instructions !== instructions) {
    const all = plain(instructions).split(/(?<=[.:;])\s|\s-\s/)
    last = { instructions, sentences: all.filter(({ length }) => length >= TELLING_LENGTH) }
  }
  return last.sentences
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}
