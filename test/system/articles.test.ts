import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Behaviour, behaves, startFakeModel } from '../support/fakeModel.ts'
import { untilAnswered } from '../support/likers.ts'
import { startProcess } from '../support/process.ts'
import { changed } from '../support/pulls.ts'

const host = await startFakeHost()
const model = await startFakeModel()
const database = await createTestDatabase(inject('template'))
/** With one public URL, all nodes give articles the same URLs. */
const PUBLIC_URL = 'https://pullpress.example.com'
const env = { ...database.env, ...model.env, CODE_HOST_API_URL: host.url, PUBLIC_URL, ARTICLE_QUOTA_PER_DAY: '1000' }
const nodes = await Promise.all([1, 2, 3].map(() => startProcess(env)))
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill('SIGKILL')))
  await database.drop()
  await Promise.all([host.close(), model.close()])
})

const users = await Promise.all(
  Array.from({ length: 20 }, async (_, i) => {
    const token = host.token(`user-${i}`)
    await fetch(`${nodes[0]?.url}/auth/signup`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    return token
  }),
)

let lastNumber = 0
const repository = host.repository({ id: 1, owner: 'acme', name: 'shop', pulls: [] })
function newPull(): string {
  lastNumber += 1
  repository.pulls?.push({ number: lastNumber, title: `Change ${lastNumber}`, files: [changed('src/app.ts')] })
  return `/repos/acme/shop/pulls/${lastNumber}/article`
}

async function generate(node: number, path: string, user = 0, prefer = 'wait=60') {
  const headers = { authorization: `Bearer ${users[user % users.length]}`, prefer }
  const url = `${nodes[node % nodes.length]?.url}${path}`
  const { answer: response } = await untilAnswered(() => fetch(url, { method: 'POST', headers }))
  return { status: response.status, location: response.headers.get('location') ?? '', body: await response.json() }
}

async function jobAt(node: number, location: string) {
  const url = `${nodes[node]?.url}${location}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${users[0]}` } })
  const { data } = (await response.json()) as { data: { status: string } }
  return data
}

test('makes one model call for 200 concurrent requests on three processes and returns equal responses', async () => {
  const path = newPull()
  model.next(behaves.slow(1000))
  const before = model.requests.length
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => generate(i, path, i)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(model.requests.length - before).toBe(1)
})

/** Suspends the other processes, so that the chosen one receives the job. */
async function startWritingOn(writer: number, path: string, behaviour: Behaviour): Promise<string> {
  const before = model.requests.length
  const others = nodes.filter((_, i) => i !== writer)
  model.next(behaviour)
  for (const node of others) node.signal('SIGSTOP')
  const { location } = await generate(writer, path, 0, 'respond-async')
  await expect.poll(() => model.requests.length).toBe(before + 1)
  for (const node of others) node.signal('SIGCONT')
  return location
}

async function expectTakenOver(location: string, since: number): Promise<void> {
  await expect.poll(async () => (await jobAt(2, location)).status, { timeout: 60_000, interval: 500 }).toBe('succeeded')
  expect(performance.now() - since).toBeLessThan(60_000)
}

test('within 60 seconds, other nodes take over the jobs of a killed process and of one suspended past its lease', {
  timeout: 90_000,
}, async () => {
  const [stopped, killed] = [newPull(), newPull()]
  const before = model.requests.length
  const late = behaves.changed((good) => ({ ...good, aiGeneratedTitle: '遅れて届いた題名がここにある' }))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const first = await startWritingOn(0, stopped, async (request, response, good) => {
    await released
    late(request, response, good)
  })
  const second = await startWritingOn(1, killed, behaves.hang)
  const since = performance.now()
  nodes[0]?.signal('SIGSTOP')
  await nodes[1]?.kill('SIGKILL')
  await Promise.all([expectTakenOver(first, since), expectTakenOver(second, since)])
  expect(model.requests.length - before).toBe(4)

  const written = await generate(2, stopped)
  nodes[0]?.signal('SIGCONT')
  release()
  await sleep(2500)
  const after = await generate(0, stopped)
  expect(after.body).toEqual(written.body)
  expect(JSON.stringify(after.body)).not.toContain('遅れて届いた')
  expect((await generate(0, killed)).body).toEqual((await generate(2, killed)).body)
})
