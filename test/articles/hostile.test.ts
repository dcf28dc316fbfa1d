import { afterAll, afterEach, expect, test } from 'vitest'
import { createThreads, THREAD_LIMITS } from '../../src/threads/threads.ts'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { answer } from '../support/fakeModel.ts'
import { hostileAnswers } from '../support/hostile/answers.ts'
import { hostilePulls } from '../support/hostile/pulls.ts'
import { longestTurnMs } from '../support/longestTurn.ts'
import { startService } from '../support/service.ts'

const outlining = await startService()
const writing = await startWritingService()
afterAll(() => Promise.all([outlining.close(), writing.close()]))
const { model } = writing
const { threads } = writing.ctx
afterEach(() => {
  model.always(undefined)
  writing.ctx.threads = threads
})

/**
 * Each of these inputs once blocked the event loop for 2 to 60 seconds. The fake host and model share the event loop.
 */
const MAX_MS = 500
const ALLOWED_STATUSES = [200, 502]

test.each(['public blocks, then a private key', 'token prefixes in paths', 'ten files of one-character lines'])(
  'an outline of a pull request with %s does not block the event loop',
  async (name) => {
    const token = await outlining.signedUp(name.replaceAll(/\W/g, '-'))
    const place = aPull(outlining, hostilePulls[name]?.())
    const { generate, generated } = articlesOf(outlining)
    const longest = await longestTurnMs(async () => {
      const { status, body } = await generate(place, token, undefined, { prefer: 'wait=60' })
      expect(ALLOWED_STATUSES, JSON.stringify(body)).toContain(status)
    })
    expect(longest).toBeLessThan(MAX_MS)
    expect(await generated(aPull(outlining), token)).toMatchObject({ prNumber: 1 })
  },
)

test('outlines a description that is slow to parse long before the usual deadline', async () => {
  const token = await outlining.signedUp('impatient')
  const { threads } = outlining.ctx
  const impatient = createThreads({ ...THREAD_LIMITS, deadlineMs: THREAD_LIMITS.deadlineMs / 4 })
  outlining.ctx.threads = impatient
  const pull = hostilePulls['emphasis marks in a description']?.()
  const { contents } = await articlesOf(outlining).generated(aPull(outlining, pull), token)
  expect(contents.ja.backgroundAndPurpose).toContain('*a_*a_*a_')
  outlining.ctx.threads = threads
  await impatient.close()
})

test('linked issues, labels and a milestone that are slow to read do not block the event loop', async () => {
  const token = await writing.signedUp('linker')
  const bodies = ['<!--', '漢', '*a_', 'fixes #2 ', '-----BEGIN PRIVATE KEY-----\n', 'key: ']
  const issues = bodies.map((text, i) => ({ number: i + 2, title: text.repeat(100), body: text.repeat(20_000) }))
  const pull = {
    body: issues.map(({ number }) => `fixes #${number}`).join(' '),
    labels: Array.from({ length: 100 }, (_, i) => `${i}${'*_'.repeat(45)}`),
    milestone: '`'.repeat(250),
  }
  const longest = await longestTurnMs(async () => {
    const { generate } = articlesOf(writing)
    const { status, body } = await generate(aPull(writing, pull, { issues }), token, undefined, { prefer: 'wait=60' })
    expect(ALLOWED_STATUSES, JSON.stringify(body)).toContain(status)
  })
  expect(longest).toBeLessThan(MAX_MS)
})

test.each(['emphasis marks', 'an unclosed code fence', 'quotes of one letter', 'digits of a release'])(
  'a model response of %s does not block the event loop',
  async (name) => {
    const token = await writing.signedUp(name.replaceAll(' ', '-'))
    const { generate, generated } = articlesOf(writing)
    model.always((_, response, good) => answer(response, hostileAnswers[name]?.(good) ?? ''))
    const longest = await longestTurnMs(async () => {
      const place = aPull(writing, { body: 'a'.repeat(65_000) })
      const { status, body } = await generate(place, token, undefined, { prefer: 'wait=60' })
      expect(ALLOWED_STATUSES, JSON.stringify(body)).toContain(status)
      expect(body.error?.details?.reason).not.toBe('deadline')
    })
    expect(longest).toBeLessThan(MAX_MS)
    model.always(undefined)
    expect(await generated(aPull(writing), token)).toMatchObject({ prNumber: 1 })
  },
)

test.each([
  ['deadline', { deadlineMs: 1 }],
  ['memory', { heapMegabytes: 24 }],
])('fails a job whose step exceeds its %s with the reason and without retries', async (reason, limit) => {
  const token = await writing.signedUp(`limited-${reason}`)
  const { generate, generated } = articlesOf(writing)
  const exceeded = createThreads({ ...THREAD_LIMITS, ...limit })
  writing.ctx.threads = exceeded
  const place = aPull(writing)
  const modelRequests = await model.during(async () => {
    const { status, body } = await generate(place, token, undefined, { prefer: 'wait=60' })
    expect([status, body.error]).toMatchObject([502, { code: 'GENERATION_FAILED', details: { reason } }])
  })
  expect(modelRequests).toEqual([])
  const jobs = await writing.ctx.db.selectFrom('article_jobs').selectAll().orderBy('created_at', 'desc').execute()
  expect(jobs[0]).toMatchObject({ status: 'failed', attempt: 1, error_reason: reason })
  writing.ctx.threads = threads
  await exceeded.close()
  expect(await generated(place, token)).toMatchObject({ prNumber: 1 })
})
