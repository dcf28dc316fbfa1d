import { expect, test } from 'vitest'
import { THREAD_LIMITS } from '../../src/runtime/threads/threads.ts'
import { BadAnswer } from '../../src/writer/errors.ts'
import { hostileAnswers } from '../support/hostile/answers.ts'
import { hostilePulls } from '../support/hostile/pulls.ts'
import { type StoredPull, storedPull } from '../support/storedPull.ts'
import { outlinedFrom, written } from '../support/writing.ts'

/** Measures CPU time, which does not depend on other load. All steps together must stay below the deadline of one. */
async function expectInTime(work: () => Promise<unknown>): Promise<void> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(THREAD_LIMITS.deadlineMs)
}

/** Accepts a failure, too, if its cause is an unusable answer of the model. */
function requireFailed({ cause }: Error): void {
  expect(cause).toBeInstanceOf(BadAnswer)
}

test.each(Object.entries(hostilePulls))('outlines and writes about a pull request with %s in time', async (_, pull) => {
  let stored: StoredPull | undefined
  await expectInTime(async () => {
    stored = await storedPull(pull())
    await outlinedFrom(stored)
  })
  await expectInTime(() => written({ stored }).catch(requireFailed))
})

test.each(Object.entries(hostileAnswers))('reads a model response of %s in time', async (_, make) => {
  await expectInTime(() => written({ pull: { body: 'a'.repeat(65_000) }, always: make }).catch(requireFailed))
})
