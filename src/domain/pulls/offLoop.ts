import type { Threads } from '../../context.ts'
import { HostUnavailable } from '../../host/errors.ts'
import { TaskLimitExceeded } from '../../runtime/threads/errors.ts'
import { type DocumentFacts, factsOf, parseDocument } from '../../writer/facts/document.ts'
import { type Assembled, assemble, type Parts } from './assemble.ts'

/** Below this size the work takes a few milliseconds, which is less than passing it to a thread. */
const MAX_BYTES_INLINE = 500_000

/** The facts of a stored document. Large documents are parsed in a thread. */
export async function readFacts(threads: Threads, document: Uint8Array): Promise<DocumentFacts> {
  if (document.length <= MAX_BYTES_INLINE) return factsOf(parseDocument(document))
  return threads.run('readFacts', document)
}

/** Assembles a document, in a thread if the input is large or has attributes, whose patterns are slow to match. */
export async function assembleOffLoop(threads: Threads, parts: Parts): Promise<Assembled> {
  if (!parts.code?.attributes && sizeOf(parts) <= MAX_BYTES_INLINE) return assemble(parts)
  return threads.run('assemble', parts).catch((error) => {
    if (error instanceof TaskLimitExceeded)
      throw new HostUnavailable('The pull request exceeds the processing limits.', 200)
    throw error
  })
}

function sizeOf({ code, comments, previous }: Parts): number {
  const sum = (lengths: number[] = []) => lengths.reduce((total, length) => total + length, 0)
  return sum([
    previous?.length ?? 0,
    code?.diff?.length ?? 0,
    sum(code?.files.map(({ path, patch }) => path.length + (patch?.length ?? 0))),
    sum(code?.commits.map(({ message }) => message.length)),
    sum(comments?.map(({ body }) => body.length + 100)),
  ])
}
