import { setTimeout as sleep } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')
const ARTICLES = 8

async function signalsAfter(articles: number): Promise<number> {
  for (let n = 0; n < articles; n++) await generated(aPull(service), token)
  // It collects garbage first; what depended on that garbage is let go of in a later turn.
  queryObjects(AbortSignal)
  await sleep(50)
  return queryObjects(AbortSignal, { format: 'count' })
}

test('of calls to the code host and the model nothing is left in memory', async () => {
  const before = await signalsAfter(ARTICLES)
  expect((await signalsAfter(ARTICLES)) - before).toBeLessThan(ARTICLES)
})
