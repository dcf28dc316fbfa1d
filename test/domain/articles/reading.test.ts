import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { type Behaviour, behaves, holding } from '../../support/fakeModel.ts'
import { longestTurnMs } from '../../support/longestTurn.ts'
import { added, changed } from '../../support/pulls.ts'

const service = await startWritingService({
  MODEL_TOKENS_PER_CALL: '8000',
  MODEL_CALLS_PER_ARTICLE: '12',
  MODEL_TOKENS_PER_ARTICLE: '200000',
})
afterAll(() => service.close())
const { model } = service
const { generate } = articlesOf(service)
const token = await service.signedUp('reader')

test('once the model call for one part of a pull request fails permanently, aborts the calls for the other parts', async () => {
  const files = Array.from({ length: 12 }, (_, i) => added(`src/file${i}.ts`, 60))
  const aborted: boolean[] = []
  const { held, release } = holding()
  const another = Promise.withResolvers<void>()
  const watched: Behaviour = (request, response, good) => {
    const index = aborted.push(false) - 1
    response.once('close', () => {
      aborted[index] = !response.writableFinished
    })
    another.resolve()
    return held(request, response, good)
  }
  model.always(watched)
  model.next(async (...args) => {
    await another.promise
    behaves.status(401)(...args)
  })
  expect((await generate(aPull(service, { files }), token)).body.error.code).toBe('MODEL_UNAVAILABLE')
  expect(aborted.length).toBeGreaterThan(0)
  await expect.poll(() => aborted).not.toContain(false)
  release()
  model.always(undefined)
  await service.ctx.db.deleteFrom('breakers').execute()
})

const endless = '漢'.repeat(60_000)
const remarks = '<!--'.repeat(16_000)
const at = '2026-01-01T00:00:00Z'
const TEXT = 'この変更は、利用者にとって分かりやすい動作にするために処理の流れを見直したものである。'
const leadWith = (flood: string): Behaviour =>
  behaves.changed((good) => ({ ...good, lead: { ...good.lead, text: `${TEXT}\n${flood}${TEXT}` } }))
const spaces = behaves.says(' '.repeat(400_000))

const slow: Record<string, [Parameters<typeof aPull>[1], Behaviour[]]> = {
  'a conversation that is slow to tokenize': [
    {
      body: endless,
      comments: [endless, remarks].map((body) => ({ author: 'a', body, at })),
      files: [changed('a.ts')],
    },
    [],
  ],
  'a response of 400,000 spaces': [{}, [spaces, spaces]],
  'a response of many lines': [{}, [leadWith('\n'.repeat(2500))]],
  'a response of many list marks': [{}, [leadWith('- '.repeat(1500))]],
}

test.each(Object.entries(slow))('%s does not block the event loop', async (_, [pull, behaviours]) => {
  model.next(...behaviours)
  const place = aPull(service, pull)
  const longest = await longestTurnMs(async () => {
    expect((await generate(place, token, undefined, { prefer: 'wait=60' })).status).toBe(200)
  })
  expect(longest).toBeLessThan(2000)
  model.always(undefined)
})

test('warns at start if the limits of model tokens allow reading only one part of a pull request', async () => {
  const warning = 'Large pull requests are read only in part'
  expect(service.logged.join('')).not.toContain(warning)
  const narrow = await startWritingService({ MODEL_TOKENS_PER_CALL: '8000', MODEL_TOKENS_PER_ARTICLE: '40000' })
  expect(narrow.logged.join('')).toContain(warning)
  await narrow.close()
})
