import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { expect, inject, test } from 'vitest'
import { startService } from '../../scripts/demo/service.ts'
import { createTestDatabase } from '../support/database.ts'

const run = promisify(execFile)
const scriptOf = (name: string) => join(import.meta.dirname, `../../scripts/${name}.ts`)

test('the demo writes an article about each pull request, prints one and the ranking, and exits', async () => {
  const { stdout } = await run(process.execPath, [scriptOf('demo'), '--once', '--language', 'en'], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' },
  })
  expect(stdout.match(/: written$/gm)).toHaveLength(6)
  const text = stripVTControlCharacters(stdout)
  expect(text).toMatch(/^Why$/m)
  expect(text).toMatch(/^ +18 \+ var encoders = sync\.Pool\{$/m)
  expect(text).toMatch(/^→ .+\.go:\d+/m)
  expect(text).toContain('Read 4 of 5 files. An outline')
  const ranking = text.slice(text.lastIndexOf('\n1. ')).trim().split('\n')
  expect(ranking).toHaveLength(6)
  expect(ranking.at(0)).toMatch(/^1\. 6 likes: .+ \(quillworks\/atlas#1024\)$/)
  expect(ranking.at(-1)).toMatch(/^6\. 1 likes: Compress responses with zstd .+ \(tidewater\/sluice#340\)$/)
})

test('the demo names the port if it is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(port) }
  const stderr = `Port ${port} (PORT) is in use or not permitted on 127.0.0.1.\n`
  await expect(run(process.execPath, [scriptOf('demo'), '--once'], { env })).rejects.toMatchObject({ code: 1, stderr })
  other.close()
})

test.each([
  ['seed', ['--likes', 'many'], '--likes takes a whole number from 1 to 1,000,000,000.\n'],
  ['eval', [], 'OPENAI_API_KEY is not set: there is no model to write articles or to judge them.\n'],
])('the script %s prints its error and exits with 1', async (name, args, stderr) => {
  await expect(run(process.execPath, [scriptOf(name), ...args], { env: {} })).rejects.toMatchObject({ code: 1, stderr })
})

test('the demo allows web pages from localhost, but no others, to call the API', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pullpress-demo-test-'))
  const { signal } = new AbortController()
  const database = await createTestDatabase(inject('template'))
  const service = await startService({ folder, hostUrl: 'http://127.0.0.1:9', env: database.env, signal })
  const ask = (origin: string, method = 'GET') =>
    fetch(`${service.url}/ranking/articles/likes`, {
      method,
      headers: { origin, ...(method === 'OPTIONS' && { 'access-control-request-method': 'GET' }) },
    })
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080']) {
    const { status, headers } = await ask(origin)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin])
    const exposed = headers.get('access-control-expose-headers')
    for (const name of ['X-Request-Id', 'RateLimit-Remaining', 'Location', 'Retry-After'])
      expect(exposed).toContain(name)
    expect((await ask(origin, 'OPTIONS')).status).toBe(204)
  }
  expect((await ask('https://example.com')).headers.get('access-control-allow-origin')).toBeNull()
  await service.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})
