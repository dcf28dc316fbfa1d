import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import type { Piscina } from 'piscina'
import { abortable } from '../lib/abortable.ts'
import { TaskLimitExceeded } from './errors.ts'
import type { TaskInput, TaskName, TaskResult } from './tasks.ts'

/**
 * Work on untrusted text, off the event loop. A task gets what it needs as data: no database connection, key, token or
 * environment variable exists in its thread.
 */
export interface Threads {
  /** Rejects with TaskLimitExceeded where a task exceeds its time or memory, which ends its thread. */
  run<Name extends TaskName>(name: Name, input: TaskInput<Name>, signal?: AbortSignal): Promise<TaskResult<Name>>
  close(): Promise<void>
}

export interface ThreadLimits {
  /** More than ten times what the slowest task takes for an honest diff of 10 MB. */
  deadlineMs: number
  heapMegabytes: number
  /** A new thread takes half a second to load what the tasks need: one that has just worked is kept for a while. */
  idleMs: number
}

export const THREAD_LIMITS: ThreadLimits = { deadlineMs: 30_000, heapMegabytes: 512, idleMs: 20_000 }
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

export function createThreads(limits: ThreadLimits = THREAD_LIMITS): Threads {
  const maxThreads = Math.max(1, availableParallelism() - 1)
  // A task's time counts from its start, so tasks wait here and not in the pool's own queue.
  const turn = pLimit(maxThreads)
  let pool: Promise<Piscina> | undefined

  async function runNow(name: TaskName, input: unknown, signal: AbortSignal | undefined) {
    pool ??= openPool(maxThreads, limits)
    const opened = await pool
    const bounds = { milliseconds: limits.deadlineMs, signals: signal ? [signal] : [] }
    return abortable(bounds, async (limit) =>
      opened.run({ name, input }, { signal: limit }).catch((error: NodeJS.ErrnoException) => {
        signal?.throwIfAborted()
        if (limit.aborted) throw new TaskLimitExceeded(name, 'deadline')
        if (error.code === OUT_OF_MEMORY) throw new TaskLimitExceeded(name, 'memory')
        throw error
      }),
    )
  }

  return {
    run: (name, input, signal) => turn(() => runNow(name, input, signal)),
    async close() {
      turn.clearQueue()
      await (await pool)?.destroy()
    },
  }
}

/** Loaded and opened with the first task: many nodes never run one. */
async function openPool(maxThreads: number, { heapMegabytes, idleMs }: ThreadLimits): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: new URL('./entry.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    // Nothing of the environment but where compiled modules are cached, which saves most of a thread's start.
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' },
  })
}
