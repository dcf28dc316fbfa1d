import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import type { Threads } from '../../src/context.ts'
import { openThreads } from '../../src/createContext.ts'
import { TaskLimitExceeded } from '../../src/runtime/threads/errors.ts'
import { THREAD_LIMITS } from '../../src/runtime/threads/threads.ts'

let threads: Threads
afterEach(() => threads.close())

const words = 'one two three '.repeat(50_000)

/** Counts running threads. */
function countThreads() {
  const count = { now: 0, most: 0 }
  const started = (worker: Worker) => {
    count.now += 1
    count.most = Math.max(count.most, count.now)
    worker.once('exit', () => {
      count.now -= 1
    })
  }
  process.on('worker', started)
  return { count, stop: () => process.off('worker', started) }
}

test('a task that exceeds its deadline ends together with its thread, and the next task runs', async () => {
  threads = openThreads({ ...THREAD_LIMITS, deadlineMs: 1 })
  const failing = threads.run('countTokens', words)
  await expect(failing).rejects.toThrow(TaskLimitExceeded)
  await expect(failing).rejects.toMatchObject({ limit: 'deadline' })
  await threads.close()
  threads = openThreads()
  expect(await threads.run('countTokens', 'one two three')).toBe(3)
})

test('a task that exceeds its memory ends together with its thread, but the process continues', async () => {
  threads = openThreads({ ...THREAD_LIMITS, heapMegabytes: 24 })
  await expect(threads.run('countTokens', words)).rejects.toMatchObject({ limit: 'memory' })
})

test('aborts a task without reporting an exceeded limit', async () => {
  threads = openThreads()
  const closing = new AbortController()
  const running = threads.run('countTokens', words, closing.signal)
  closing.abort(new Error('The server is closing.'))
  await expect(running).rejects.toThrow('The server is closing.')
})

test('starts at most one thread per spare processor, and keeps none while idle', async () => {
  threads = openThreads({ ...THREAD_LIMITS, idleMs: 20 })
  const { count, stop } = countThreads()
  const max = Math.max(1, availableParallelism() - 1)
  const tasks = Array.from({ length: 3 * max }, () => threads.run('countTokens', 'one two three'))
  expect(await Promise.all(tasks)).toEqual(Array(3 * max).fill(3))
  expect(count.most).toBe(max)
  await expect.poll(() => count.now).toBe(0)
  stop()
})

test('rejects with the error message of a task that throws, and runs the next task on the same thread', async () => {
  threads = openThreads()
  await expect(threads.run('readFacts', Buffer.from('no JSON'))).rejects.toThrow(/JSON/)
  expect(await threads.run('countTokens', 'one')).toBe(1)
})
