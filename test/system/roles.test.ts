import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { createTestDatabase } from '../support/database.ts'
import { behaves, startFakeModel } from '../support/fakeModel.ts'
import { startProcess } from '../support/process.ts'
import { changed } from '../support/pulls.ts'

const host = await startFakeHost()
const model = await startFakeModel()
const database = await createTestDatabase(inject('template'))
type Node = Awaited<ReturnType<typeof startProcess>>
const nodes: Node[] = []
async function start(ROLE: 'api' | 'worker'): Promise<Node> {
  const node = await startProcess({ ...database.env, ...model.env, CODE_HOST_API_URL: host.url, ROLE })
  nodes.push(node)
  return node
}
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill('SIGKILL')))
  await database.drop()
  await Promise.all([host.close(), model.close()])
})

const [leaving, staying] = await Promise.all([start('api'), start('api')])
const headers = { authorization: `Bearer ${host.token('reader')}` }
await fetch(`${leaving.url}/auth/signup`, { method: 'POST', headers })
const pulls = [1, 2, 3].map((number) => ({ number, files: [changed('src/app.ts')] }))
host.repository({ id: 1, owner: 'acme', name: 'shop', pulls })

const ask = (node: Node, number: number, prefer: string) =>
  fetch(`${node.url}/repos/acme/shop/pulls/${number}/article`, { method: 'POST', headers: { ...headers, prefer } })
async function statusOf(location: string): Promise<string> {
  const answer = await fetch(`${staying.url}${location}`, { headers })
  return ((await answer.json()) as { data: { status: string } }).data.status
}
const events = (node: Node, location: string, more: Record<string, string> = {}) =>
  fetch(`${node.url}${location}`, { headers: { ...headers, accept: 'text/event-stream', ...more } })

test('an api node runs no jobs, and a worker node serves only health checks', async () => {
  const location = (await ask(leaving, 1, 'respond-async')).headers.get('location') ?? ''
  await sleep(3000)
  expect(await statusOf(location)).toBe('queued')
  const worker = await start('worker')
  await expect.poll(() => statusOf(location)).toBe('succeeded')
  const paths = ['/healthz', '/readyz', '/users/me', '/read', '/docs']
  const answers = await Promise.all(paths.map((path) => fetch(`${worker.url}${path}`, { headers })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404])
  expect((await fetch(`${worker.url}/mcp`, { method: 'POST' })).status).toBe(404)
})

test('on SIGTERM, nodes hand over waiting requests, event streams and jobs', async () => {
  model.next(behaves.hang)
  const before = model.requests.length
  const waiting = ask(leaving, 2, 'wait=60')
  await expect.poll(() => model.requests.length).toBe(before + 1)
  const location = (await ask(staying, 2, 'respond-async')).headers.get('location') ?? ''
  const stream = (await events(leaving, location)).text()
  await sleep(500)

  const started = performance.now()
  leaving.signal('SIGTERM')
  const answer = await waiting
  expect([answer.status, answer.headers.get('location')]).toEqual([202, location])
  const streamed = await stream
  expect(performance.now() - started).toBeLessThan(5000)
  expect(streamed).toMatch(/^retry: \d+\n\n/)
  const lastId = streamed.match(/(?<=^id: ).+$/gm)?.at(-1) ?? ''
  expect(lastId).toMatch(/^running writing/)

  const [writing] = nodes.slice(2)
  await start('worker')
  writing?.signal('SIGTERM')
  // The other worker starts the job immediately, not after a heartbeat timeout.
  await expect.poll(() => model.requests.length).toBe(before + 2)
  const resumed = await (await events(staying, location, { 'last-event-id': lastId })).text()
  expect(resumed).not.toContain(`id: ${lastId}\n`)
  expect(resumed).toMatch(/\nevent: succeeded\n/)
  expect(await Promise.all([leaving.exited, writing?.exited])).toEqual([
    [0, null],
    [0, null],
  ])
})
