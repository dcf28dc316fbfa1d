import { setImmediate as nextTurn } from 'node:timers/promises'
import { createEventDecoder } from './decodeEvents.ts'
import { answerTooLarge } from './errors.ts'

/**
 * The largest answer that is read. 128,000 output tokens as events of one token each take about 40 MB, which are not
 * kept in memory.
 */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const YIELD_AFTER_MS = 10

interface Limits {
  maxBytes: number
  /** The longest pause between two chunks. After a longer one, the answer counts as ended. Undefined: no limit. */
  idleMs(): number | undefined
}

/** Yields the events of each chunk of a body. */
export async function* readEvents(body: Response['body'], { maxBytes, idleMs }: Limits): AsyncGenerator<string[]> {
  if (!body) return
  const decoder = createEventDecoder()
  const reader = body.getReader()
  let timer: NodeJS.Timeout | undefined
  let bytes = 0
  let workedMs = 0
  try {
    for (;;) {
      const idle = idleMs()
      timer = idle === undefined ? undefined : setTimeout(() => void reader.cancel().catch(() => {}), idle)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      const started = performance.now()
      if (done) return yield decoder.end()
      bytes += value.byteLength
      if (bytes > maxBytes) throw answerTooLarge()
      yield decoder.push(value)
      workedMs += performance.now() - started
      // Reading buffered chunks never yields to the event loop by itself.
      if (workedMs > YIELD_AFTER_MS) {
        await nextTurn()
        workedMs = 0
      }
    }
  } finally {
    clearTimeout(timer)
    await reader.cancel().catch(() => {})
  }
}
