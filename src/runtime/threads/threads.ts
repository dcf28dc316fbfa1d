import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import type { Piscina } from 'piscina'
import { abortable } from '../../lib/abortable.ts'
import { TaskLimitExceeded } from './errors.ts'

type AnyTasks = Record<string, (input: never) => unknown>

/**
 * Processes untrusted text off the event loop. Tasks receive plain data: their threads have no database connection,
 * key, token or environment variable.
 */
export interface ThreadPool<Tasks extends AnyTasks> {
  /** Rejects with TaskLimitExceeded if the task exceeds its time or memory limit, which also ends its thread. */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>
  close(): Promise<void>
}

export interface ThreadLimits {
  /** The time limit of a task: more than ten times what the slowest task takes for a normal diff of 10 MB. */
  deadlineMs: number
  heapMegabytes: number
  /** Idle threads are kept for a while, because a new one needs half a second to load its modules. */
  idleMs: number
}

export const THREAD_LIMITS: ThreadLimits = { deadlineMs: 30_000, heapMegabytes: 512, idleMs: 20_000 }
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

/** `entry` is the URL of the module that the threads run. */
export function createThreads<Tasks extends AnyTasks>(entry: string, limits: ThreadLimits): ThreadPool<Tasks> {
  const maxThreads = Math.max(1, availableParallelism() - 1)
  // Tasks wait here instead of in the pool's own queue, so that the deadline counts from the start of a task.
  const withSlot = pLimit(maxThreads)
  let pool: Promise<Piscina> | undefined

  async function runNow(name: string, input: unknown, signal: AbortSignal | undefined) {
    pool ??= openPool(entry, maxThreads, limits)
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
    run: (name, input, signal) => withSlot(() => runNow(name, input, signal)),
    async close() {
      withSlot.clearQueue()
      await (await pool)?.destroy()
    },
  }
}

/** Opens the pool with the first task, because many nodes never run one. */
async function openPool(
  filename: string,
  maxThreads: number,
  { heapMegabytes, idleMs }: ThreadLimits,
): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename,
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    // The only variable passed on is the compile cache, which saves most of a thread's startup time.
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' },
  })
}
