import { afterAll, expect, test } from 'vitest'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { openExchange } from '../../../src/web/mcp/exchange.ts'
import { aPull, articlesOf } from '../../support/articles.ts'
import { ACCEPT, post, toolCall } from '../../support/mcp.ts'
import { changed, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
afterAll(() => service.close())

test('answers clients of other networks while a call waits for the code host', async () => {
  const pulls = [{ number: 1, files: [changed('a.txt')] }]
  repositoryOf(service, 'acme/slow', { private: true, members: ['caller'], pulls })
  const token = await service.signedUp('caller')
  await articlesOf(service).generated('acme/slow#1', token)
  service.advance(6 * 60_000)
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  service.host.fail({
    path: /./,
    async act(request, response) {
      asked.resolve()
      await released.promise
      faults.status(502)(request, response)
    },
  })
  const message = toolCall('read_article', { pullRequest: 'acme/slow#1' })
  let isAnswered = false
  const slow = post(service, message, { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.1' }).finally(
    () => {
      isAnswered = true
    },
  )
  await asked.promise
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await post(service, list, { 'x-forwarded-for': '198.51.100.1' })).status).toBe(200)
  expect(isAnswered).toBe(false)
  released.resolve()
  expect((await slow).status).toBe(200)
})

test('an exchange that is closed before its response ends has status 499', async () => {
  const exchange = openExchange(
    toolCall('read_article'),
    { accept: ACCEPT, 'content-type': 'application/json' },
    { callTool: () => new Promise(() => {}), now: new Date() },
  )
  exchange.close()
  expect((await exchange.response).status).toBe(499)
})

test('starts no job for a client that disconnected while its token was checked', async () => {
  await service.signedUp('leaving')
  // The service does not know this second token of the user yet, so it asks the code host about the token.
  const token = service.host.token('leaving')
  const released = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  service.host.fail({
    path: /^\/user$/,
    async act(request, response) {
      asked.resolve()
      await released.promise
      service.host.answer(request, response)
    },
  })
  const leaving = new AbortController()
  const sent = fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: ACCEPT },
    body: JSON.stringify(toolCall('ask_for_article', { pullRequest: aPull(service) })),
    signal: leaving.signal,
  }).catch((error: unknown) => error)
  await asked.promise
  leaving.abort()
  expect(await sent).toBeInstanceOf(Error)
  released.resolve()
  await articlesOf(service).generated(aPull(service), token)
  const { body } = await service.call('listArticleJobs', { token })
  expect(body.data.data).toHaveLength(1)
})
