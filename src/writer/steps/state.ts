import { deserialize, serialize } from 'node:v8'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Reading } from '../reading/read.ts'
import type { RenderedFile } from '../reading/render.ts'

/**
 * What later steps need of a reading, as bytes that the event loop only carries: to build ten thousand lines as objects
 * there, once for each step, would hold it up.
 */
export type ReadingState = Uint8Array

export type KeptReading = Pick<Reading, 'files' | 'plan' | 'told'>

export function toState({ files, plan, told }: Reading): ReadingState {
  // The raw lines of all hunks are many times what was shown, and no later step looks at them.
  const bare = new Map(files.map((file) => [file, { ...file, hunks: [] } satisfies ChangedFile]))
  const bareFile = ({ file, hunks, clipped }: RenderedFile): RenderedFile => ({
    file: bare.get(file) ?? { ...file, hunks: [] },
    hunks: hunks.map(({ heading, lines }) => ({
      heading,
      lines: lines.map(({ line, text }) => ({ line: { ...line, text: '' }, text })),
    })),
    clipped,
  })
  const parts = plan.parts.map((part) => part.map(bareFile))
  return serialize({ files: [...bare.values()], plan: { ...plan, parts, files: [] }, told } satisfies KeptReading)
}

export function fromState(state: ReadingState): KeptReading {
  return deserialize(state)
}
