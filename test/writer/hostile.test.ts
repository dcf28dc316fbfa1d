import { expect, test } from 'vitest'
import { THREAD_LIMITS } from '../../src/runtime/threads/threads.ts'
import { hostilePulls } from '../support/hostile/pulls.ts'
import { outlined } from '../support/writing.ts'

test('in less than a quarter of the thread deadline, outlines a description that is slow to parse', async () => {
  const pull = hostilePulls['emphasis marks in a description']?.() ?? {}
  // Measures CPU time, which does not depend on other load on the machine.
  const before = process.threadCpuUsage()
  const { backgroundAndPurpose } = await outlined(pull, 'ja')
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(THREAD_LIMITS.deadlineMs / 4)
  expect(backgroundAndPurpose).toContain('*a_*a_*a_')
})
