import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { startProcess } from '../support/process.ts'
import { changed } from '../support/pulls.ts'

const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
const env = { ...database.env, CODE_HOST_API_URL: host.url }
const nodes = await Promise.all([startProcess(env), startProcess(env)])
const [one, other] = nodes.map((node) => createClient(node.url))
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill('SIGTERM')))
  await database.drop()
  await host.close()
})

test('50 requests on two processes share one fetch, but visibility is checked for each token', async () => {
  const pulls = [{ number: 1, files: [changed('a.txt')] }]
  host.repository({ id: 1, owner: 'acme', name: 'shop', private: true, members: ['u0', 'u1', 'u2', 'u3'], pulls })
  const tokens = ['u0', 'u1', 'u2', 'u3', 'outsider'].map((login) => host.token(login))
  for (const token of tokens) expect((await one?.call('signUp', { token }))?.status).toBe(201)
  const params = { owner: 'acme', repo: 'shop', number: '1' }
  const calls = await host.during(async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 ? one : other)?.call('ingestPullRequest', { token: tokens[i % 5], params }),
      ),
    )
    expect(answers.map((answer) => answer?.status)).toEqual(answers.map((_, i) => (i % 5 === 4 ? 404 : 200)))
  })
  expect([calls.to(/files/), calls.to(/commits/), calls.to(/reviews/)]).toEqual([1, 1, 1])
  const visibilityChecks = host.calls.filter((call) => /pulls\/1$/.test(call.path)).map((call) => call.authorization)
  expect(new Set(visibilityChecks)).toEqual(new Set(tokens.map((token) => `Bearer ${token}`)))
})

test('within ten seconds, another node takes over the shared fetch of a killed node', async () => {
  host.repository({ id: 2, owner: 'acme', name: 'orphan', pulls: [{ number: 1, files: [changed('a.txt')] }] })
  const token = host.token('heir')
  await one?.call('signUp', { token })
  const params = { owner: 'acme', repo: 'orphan', number: '1' }
  host.fail({ path: /orphan\/pulls\/1\/files/, act: faults.hang })
  const lost = one?.call('ingestPullRequest', { token, params }).catch(() => undefined)
  await expect.poll(() => host.callsTo('/repos/acme/orphan/pulls/1/files')).toBe(1)
  await nodes[0]?.kill('SIGKILL')
  const started = performance.now()
  expect((await other?.call('ingestPullRequest', { token, params }))?.status).toBe(200)
  expect(performance.now() - started).toBeLessThan(10_000)
  await lost
})
