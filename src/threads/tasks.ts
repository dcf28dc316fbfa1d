import { decodeAnswer } from '../host/decode.ts'
import { assemble } from '../pulls/assemble.ts'
import { searchEntry } from '../search/entry.ts'
import { factsOf, parseDocument } from '../writer/facts/document.ts'
import { evidenceBlocks } from '../writer/markup/evidenceBlocks.ts'
import { addEvidenceLines } from '../writer/markup/evidenceLines.ts'
import { steps } from '../writer/steps/index.ts'

/** Everything that runs in worker threads. Each task is a pure function of its input. */
export const tasks = {
  ...steps,
  addEvidenceLines,
  assemble,
  decodeAnswer,
  evidenceBlocks,
  searchEntry,
  readFacts: (document: Uint8Array) => factsOf(parseDocument(document)),
}

type Tasks = typeof tasks

export type TaskName = keyof Tasks
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0]
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>
