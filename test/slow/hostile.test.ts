import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { answer } from '../support/fakeModel.ts'
import { hostileAnswers } from '../support/hostile/answers.ts'
import { hostilePulls } from '../support/hostile/pulls.ts'
import { expectShortTurns } from '../support/longestTurn.ts'
import { startService } from '../support/service.ts'

/** The fake host and model share the event loop. */
const MAX_TURN_MS = 500
const WAIT = { prefer: 'wait=60' }

const env = { ARTICLE_QUOTA_PER_DAY: '100000' }
const outlining = await startService({ env })
const writing = await startWritingService(env)
afterAll(() => Promise.all([outlining.close(), writing.close()]))
const tokens = { outlining: await outlining.signedUp('reader'), writing: await writing.signedUp('reader') }

type Make = Parameters<typeof aPull>[1]

/** Asks for an article about the pull request, and then for one about a harmless one. */
async function expectServed(name: 'outlining' | 'writing', pull: () => Make): Promise<void> {
  const service = { outlining, writing }[name]
  const articles = articlesOf(service)
  await expectShortTurns(MAX_TURN_MS, async () => {
    const { status, body } = await articles.generate(aPull(service, pull()), tokens[name], undefined, WAIT)
    expect([200, 502], JSON.stringify(body)).toContain(status)
  })
  writing.model.always(undefined)
  expect(await articles.generated(aPull(service), tokens[name])).toMatchObject({ prNumber: 1 })
}

const cases = Object.entries(hostilePulls).flatMap(([title, pull]) => [
  ['outlining' as const, title, pull] as const,
  ['writing' as const, title, pull] as const,
])

test.each(cases)('%s: a pull request with %s blocks nothing', async (name, _, pull) => {
  await expectServed(name, pull)
})

test.each(Object.entries(hostileAnswers))('a model response of %s blocks nothing', async (_, make) => {
  writing.model.always((_, response, good) => answer(response, make(good)))
  await expectServed('writing', () => ({ body: 'a'.repeat(65_000) }))
})
