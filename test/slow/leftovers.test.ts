import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { startFakeModel } from '../support/fakeModel.ts'
import { startProcess } from '../support/process.ts'
import { changed } from '../support/pulls.ts'

const ARTICLES = 8

/**
 * Prints the number of abort signals in memory on SIGWINCH. `queryObjects` collects garbage first, but dependents of
 * that garbage are freed in a later turn.
 */
const countsSignals = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { queryObjects, setFlagsFromString } from 'node:v8'
  import { runInNewContext } from 'node:vm'
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  process.on('SIGWINCH', async () => {
    collectGarbage()
    await sleep(50)
    console.log('abort signals: ' + queryObjects(AbortSignal, { format: 'count' }))
  })`

const host = await startFakeHost()
const model = await startFakeModel()
const database = await createTestDatabase(inject('template'))
// A process of its own, because counting walks the whole heap, which is large in the process of the tests.
const server = await startProcess({
  ...{ ...database.env, ...model.env, CODE_HOST_API_URL: host.url },
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(countsSignals)}`,
})
afterAll(async () => {
  await server.kill('SIGTERM')
  await database.drop()
  await Promise.all([host.close(), model.close()])
})

const client = createClient(server.url)
const token = host.token('reader')
await client.call('signUp', { token })
const pulls = Array.from({ length: 2 * ARTICLES }, (_, i) => ({ number: i + 1, files: [changed('src/app.ts')] }))
host.repository({ id: 1, owner: 'acme', name: 'shop', pulls })

const counts = () => [...server.output().matchAll(/^abort signals: (\d+)$/gm)].map(([, count]) => Number(count))

async function signalsAfter(numbers: number[]): Promise<number> {
  for (const number of numbers) {
    const params = { owner: 'acme', repo: 'shop', number: String(number) }
    expect((await client.call('generateArticle', { token, params })).status).toBe(200)
  }
  const before = counts().length
  server.signal('SIGWINCH')
  await expect.poll(() => counts().length).toBe(before + 1)
  return counts().at(-1) ?? Number.NaN
}

test('calls to the code host and the model leave no abort signals in memory', async () => {
  const numbers = pulls.map(({ number }) => number)
  const before = await signalsAfter(numbers.slice(0, ARTICLES))
  expect((await signalsAfter(numbers.slice(ARTICLES))) - before).toBeLessThan(ARTICLES)
})
