import { afterAll, afterEach, expect, test } from 'vitest'
import type { FakeRepository } from '../../scripts/fakeHost/fakeRepository.ts'
import { openThreads } from '../../src/createContext.ts'
import { THREAD_LIMITS } from '../../src/runtime/threads/threads.ts'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { answer, type FakeDraft } from '../support/fakeModel.ts'
import { hostileAnswers } from '../support/hostile/answers.ts'
import { hostilePulls } from '../support/hostile/pulls.ts'
import { expectShortTurns, longestTurnMs } from '../support/longestTurn.ts'
import { startService } from '../support/service.ts'

const outlining = await startService()
const writing = await startWritingService()
afterAll(() => Promise.all([outlining.close(), writing.close()]))
const { model } = writing
const { threads } = writing.ctx
const tokens = { outlining: await outlining.signedUp('reader'), writing: await writing.signedUp('reader') }
const { generate, generated } = articlesOf(writing)
afterEach(() => {
  model.always(undefined)
  writing.ctx.threads = threads
})

/**
 * Longest allowed turn of the event loop, which the fake host and model share. Without limits, each of these inputs
 * blocks it for 2 to 60 seconds.
 */
const MAX_MS = 500
const ALLOWED_STATUSES = [200, 422]
const WAIT = { prefer: 'wait=60' }

const bodies = ['<!--', '漢', '*a_', 'fixes #2 ', '-----BEGIN PRIVATE KEY-----\n', 'key: ']
const issues = bodies.map((text, i) => ({ number: i + 2, title: text.repeat(100), body: text.repeat(20_000) }))
const linked = () => ({
  body: issues.map(({ number }) => `fixes #${number}`).join(' '),
  labels: Array.from({ length: 100 }, (_, i) => `${i}${'*_'.repeat(45)}`),
  milestone: '`'.repeat(250),
})

type Pull = () => NonNullable<Parameters<typeof aPull>[1]>
const pulls: Record<string, ['outlining' | 'writing', Pull | undefined, Partial<FakeRepository>?]> = {
  ...Object.fromEntries(
    ['public blocks, then a private key', 'token prefixes in paths', 'ten files of one-character lines'].map((name) => [
      name,
      ['outlining', hostilePulls[name]],
    ]),
  ),
  'linked issues, labels and a milestone that are slow to read': ['writing', linked, { issues }],
}

test.each(Object.entries(pulls))(
  'a pull request with %s does not block the event loop',
  async (_, [name, pull, repository]) => {
    const service = { outlining, writing }[name]
    const articles = articlesOf(service)
    const place = aPull(service, pull?.(), repository)
    const longest = await longestTurnMs(async () => {
      const { status, body } = await articles.generate(place, tokens[name], undefined, WAIT)
      expect(ALLOWED_STATUSES, JSON.stringify(body)).toContain(status)
    })
    expect(longest).toBeLessThan(MAX_MS)
    expect(await articles.generated(aPull(service), tokens[name])).toMatchObject({ prNumber: 1 })
  },
)

/** Answers that block the event loop for more than 100 ms if they are read there and not in a thread. */
const heavy: Record<string, () => string> = {
  'a fence and line ends': () => `\`\`\`${'\n'.repeat(60_000)}x`,
  'too many changes': () => `{"mainChanges":[${'1,'.repeat(60_000)}1]}`,
  'too many keys': () => `{${Array.from({ length: 12_000 }, (_, i) => `"${i}":0`).join(',')}}`,
  'deep nesting': () => '['.repeat(60_000) + ']'.repeat(60_000),
}
const slow = ['emphasis marks', 'an unclosed code fence', 'quotes of one letter', 'digits of a release']
type Make = (good: FakeDraft) => FakeDraft | string
const answers: Record<string, [make: Make | undefined, maxMs: number]> = {
  ...Object.fromEntries(slow.map((name) => [name, [hostileAnswers[name], MAX_MS]])),
  ...Object.fromEntries(Object.entries(heavy).map(([name, make]) => [name, [make, 100]])),
}

test.each(Object.entries(answers))('a model response of %s does not block the event loop', async (_, [make, maxMs]) => {
  model.always((_, response, good) => answer(response, make?.(good) ?? ''))
  await expectShortTurns(maxMs, async () => {
    const place = aPull(writing, { body: 'a'.repeat(65_000) })
    const { status, body } = await generate(place, tokens.writing, undefined, WAIT)
    expect(ALLOWED_STATUSES, JSON.stringify(body)).toContain(status)
    expect(body.error?.details?.reason).not.toBe('deadline')
  })
  model.always(undefined)
  expect(await generated(aPull(writing), tokens.writing)).toMatchObject({ prNumber: 1 })
})

test.each([
  ['deadline', { deadlineMs: 1 }],
  ['memory', { heapMegabytes: 24 }],
])('fails a job without retries if a step exceeds its %s, and reports the reason', async (reason, limit) => {
  const exceeded = openThreads({ ...THREAD_LIMITS, ...limit })
  writing.ctx.threads = exceeded
  const place = aPull(writing)
  const modelRequests = await model.during(async () => {
    const { status, body } = await generate(place, tokens.writing, undefined, WAIT)
    expect([status, body.error]).toMatchObject([422, { code: 'GENERATION_FAILED', details: { reason } }])
  })
  expect(modelRequests).toEqual([])
  const jobs = await writing.ctx.db.selectFrom('article_jobs').selectAll().orderBy('created_at', 'desc').execute()
  expect(jobs[0]).toMatchObject({ status: 'failed', attempt: 1, error_reason: reason })
  writing.ctx.threads = threads
  await exceeded.close()
  expect(await generated(place, tokens.writing)).toMatchObject({ prNumber: 1 })
})
