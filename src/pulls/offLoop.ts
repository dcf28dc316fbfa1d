import { HostUnavailable } from '../host/errors.ts'
import { TaskLimitExceeded } from '../threads/errors.ts'
import type { Threads } from '../threads/threads.ts'
import { type Assembled, assemble, type Parts } from './assemble.ts'
import { type DocumentFacts, factsOf, parseDocument } from './document.ts'

/** Up to so many bytes, the work takes a few milliseconds: less than handing it to a thread. */
const MAX_BYTES_INLINE = 500_000

/** The facts of a stored document, parsed in a thread where it is large. */
export async function readFacts(threads: Threads, document: Uint8Array): Promise<DocumentFacts> {
  if (document.length <= MAX_BYTES_INLINE) return factsOf(parseDocument(document))
  return threads.run('readFacts', document)
}

/** Assembles a document, in a thread where that is much work. */
export async function assembleOffLoop(threads: Threads, parts: Parts): Promise<Assembled> {
  if (sizeOf(parts) <= MAX_BYTES_INLINE) return assemble(parts)
  return threads.run('assemble', parts).catch((error) => {
    if (error instanceof TaskLimitExceeded) throw new HostUnavailable('Its answer takes too much work to read.')
    throw error
  })
}

function sizeOf({ code, comments, former }: Parts): number {
  const sum = (lengths: number[] = []) => lengths.reduce((total, length) => total + length, 0)
  return sum([
    former?.length ?? 0,
    code?.diff?.length ?? 0,
    sum(code?.files.map(({ path, patch }) => path.length + (patch?.length ?? 0))),
    sum(code?.commits.map(({ message }) => message.length)),
    sum(comments?.map(({ body }) => body.length + 100)),
  ])
}
