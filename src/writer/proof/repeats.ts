const MIN_SENTENCE_LENGTH = 40

/** Whether a text contains a sentence of the instructions. */
export function repeats(text: string, instructions: string): boolean {
  const normalized = plain(text)
  return sentencesOf(instructions).some((sentence) => normalized.includes(sentence))
}

let last: { instructions: string; sentences: string[] } | undefined

/** Cached, because all texts of an answer are compared with the same instructions. */
function sentencesOf(instructions: string): string[] {
  if (last?.instructions !== instructions) {
    const all = plain(instructions).split(/(?<=[.:;])\s|\s-\s/)
    last = { instructions, sentences: all.filter(({ length }) => length >= MIN_SENTENCE_LENGTH) }
  }
  return last.sentences
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}
