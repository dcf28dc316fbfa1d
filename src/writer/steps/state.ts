import { deserialize, serialize } from 'node:v8'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Reading } from '../reading/read.ts'
import type { RenderedFile } from '../reading/render.ts'

/**
 * The part of a reading that later steps need, serialized. The event loop only passes the bytes on: deserializing ten
 * thousand lines there for each step would block it.
 */
export type ReadingState = Uint8Array

export type KeptReading = Pick<Reading, 'files' | 'plan' | 'context' | 'milestone'>

export function toState({ files, plan, context, milestone }: Reading): ReadingState {
  // Later steps do not need the raw lines of all hunks, which are many times larger than the shown ones.
  const stripped = new Map(files.map((file) => [file, { ...file, hunks: [] } satisfies ChangedFile]))
  const parts = plan.parts.map((part) =>
    part.map(
      (rendered): RenderedFile => ({
        ...rendered,
        file: stripped.get(rendered.file) ?? { ...rendered.file, hunks: [] },
      }),
    ),
  )
  return serialize({
    files: [...stripped.values()],
    plan: { ...plan, parts, files: [] },
    context,
    milestone,
  } satisfies KeptReading)
}

export function fromState(state: ReadingState): KeptReading {
  return deserialize(state)
}
