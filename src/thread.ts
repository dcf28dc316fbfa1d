import { assemble } from './domain/pulls/assemble.ts'
import { searchEntry } from './domain/search/entry.ts'
import { decodeAnswer } from './host/decode.ts'
import { factsOf, parseDocument } from './writer/facts/document.ts'
import { evidenceBlocks } from './writer/render/evidenceBlocks.ts'
import { addEvidenceLines } from './writer/render/evidenceLines.ts'
import { steps } from './writer/steps/index.ts'

/** The tasks that worker threads run. Each is a pure function of its input. */
export const tasks = {
  ...steps,
  addEvidenceLines,
  assemble,
  decodeAnswer,
  evidenceBlocks,
  searchEntry,
  readFacts: (document: Uint8Array) => factsOf(parseDocument(document)),
}

export type Tasks = typeof tasks

export default async function runTask({ name, input }: { name: keyof Tasks; input: never }): Promise<unknown> {
  return tasks[name](input)
}
