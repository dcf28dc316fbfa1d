import { setTimeout as sleep } from 'node:timers/promises'
import { queryObjects, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')
const ARTICLES = 8
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

async function signalsAfter(articles: number): Promise<number> {
  for (let n = 0; n < articles; n++) await generated(aPull(service), token)
  // queryObjects collects garbage first, but dependents of that garbage are freed in a later turn.
  collectGarbage()
  await sleep(50)
  return queryObjects(AbortSignal, { format: 'count' })
}

test('calls to the code host and the model leave no abort signals in memory', async () => {
  const before = await signalsAfter(ARTICLES)
  expect((await signalsAfter(ARTICLES)) - before).toBeLessThan(ARTICLES)
})
