import { expect, test } from 'vitest'
import { THREAD_LIMITS } from '../../src/runtime/threads/threads.ts'
import { hostilePulls } from '../support/hostile/pulls.ts'
import { outlined } from '../support/writing.ts'

test('outlines a description that is slow to parse in less than a quarter of the deadline of a thread', async () => {
  const pull = hostilePulls['emphasis marks in a description']?.() ?? {}
  // CPU time, which is independent of other load on the machine.
  const before = process.threadCpuUsage()
  const { backgroundAndPurpose } = await outlined(pull, 'ja')
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(THREAD_LIMITS.deadlineMs / 4)
  expect(backgroundAndPurpose).toContain('*a_*a_*a_')
})
