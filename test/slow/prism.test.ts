import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { contract } from '../../src/contract.ts'
import type { OperationId } from '../../src/web/api/handler.ts'
import { aPullRequest, asks, type Owner } from '../support/asks.ts'
import { type Ask, createClient } from '../support/client.ts'
import { operationIds } from '../support/contract.ts'
import { freePort } from '../support/process.ts'
import { changed } from '../support/pulls.ts'
import { startService } from '../support/service.ts'
import { deliveryOf, WEBHOOK_SECRET } from '../support/webhooks.ts'

const root = join(import.meta.dirname, '../..')
const service = await startService({ env: { WEBHOOK_SECRET } })
const prism = await startPrism(service.url)
/** Calls the service through Prism. Errors of Prism fail the call too, because they do not fit the contract. */
const { call } = createClient(service.url, prism.url)
afterAll(async () => {
  await prism.close()
  await service.close()
})

/** Starts the command `prism proxy --errors`, which validates requests as well as responses. */
async function startPrism(upstream: string) {
  const port = String(await freePort())
  const args = ['proxy', '--errors', '--port', port, 'openapi.yaml', upstream]
  const child = spawn(join(root, 'node_modules/.bin/prism'), args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const listening = Promise.withResolvers<void>()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output.includes('Prism is listening')) listening.resolve()
  })
  exited.then(() => listening.reject(new Error(output)))
  await listening.promise
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async close() {
      child.kill()
      await exited
    },
  }
}

let owners = 0

/** Creates an owner for a single test, because some operations end a session or an account. */
async function newOwner() {
  owners += 1
  const login = `owner-${owners}`
  service.host.repositories.length = 0
  service.host.repository({
    id: owners,
    owner: 'acme',
    name: 'vault',
    private: true,
    members: [login],
    pulls: [{ number: 1, title: 'acme/vault opens', files: [changed('door.ts')] }],
  })
  const token = await service.signedUp(login)
  const request = { token, params: aPullRequest }
  await service.call('registerFavorite', { token, body: { owner: 'acme', repo: 'vault' } })
  const { body: job } = await service.call('generateArticle', { ...request, headers: { prefer: 'respond-async' } })
  const { body: article } = await service.call('generateArticle', request)
  const articleId: string = article.data.id
  await service.call('likeArticle', { token, params: { articleId, langCode: 'ja' } })
  const { body: sessions } = await service.call('listSessions', { token })
  const { id: tokenId } = await service.apiToken(token)
  return { token, articleId, jobId: job.data.id, sessionId: sessions.data[0].id, tokenId }
}

/** Requests that succeed, for operations whose request in `asks` does not. */
const successes: Partial<Record<OperationId, (owner: Owner & { token: string }) => Ask>> = {
  signUp: () => ({ token: service.host.token(`newcomer-${owners}`) }),
  saveHostToken: ({ token }) => ({ body: { hostAccessToken: token } }),
}
/** Requests that fit the contract but fail, for operations that do not fail with an unknown token. */
const failures: Partial<Record<OperationId, Ask>> = {
  receiveWebhook: deliveryOf('ping', {}, 'forged-0123456789abcdef'),
}
const NEVER_FAIL: OperationId[] = ['getHealth', 'getReadiness']

test.each(operationIds)('requests and responses of %s fit the contract', async (operationId) => {
  const owner = await newOwner()
  const { ask, anotherUser } = asks[operationId]
  const asked = ask?.(owner)
  const failed = await call(operationId, { ...asked, token: 'unknown', ...failures[operationId] })
  expect(failed.status).toBe(NEVER_FAIL.includes(operationId) ? 200 : 401)
  const another = await call(operationId, { ...asked, token: await service.signedUp(`another-${owners}`) })
  expect(another.status).toBe(anotherUser)
  for (const { query, headers, ...body } of examplesOf(operationId))
    await call(operationId, {
      ...{ ...asked, token: owner.token, ...body },
      ...{ query: { ...asked?.query, ...query }, headers: { ...asked?.headers, ...headers } },
    })
  const succeeded = await call(operationId, { ...asked, token: owner.token, ...successes[operationId]?.(owner) })
  expect(succeeded.status).toBeLessThan(300)
})

interface Examples {
  examples?: Record<string, { value: unknown }>
}

/**
 * A request for each example that the contract has for a query, header or body. Leaves out deprecated parameters, about
 * which Prism warns.
 */
function examplesOf(operationId: OperationId): Ask[] {
  const { method, path } = operations[operationId]
  const { parameters = [], requestBody } = contract.paths[path]?.[method.toLowerCase()] ?? {}
  const asks = parameters
    .map(resolved)
    .filter((parameter) => parameter.in !== 'path' && !parameter.deprecated)
    .flatMap(({ in: place, name, examples = {} }) =>
      Object.values(examples).map(
        ({ value }): Ask =>
          place === 'query' ? { query: { [name]: textOf(value) } } : { headers: { [name]: String(value) } },
      ),
    )
  const bodies = (requestBody as { content?: Record<string, Examples> } | undefined)?.content?.['application/json']
  return [...asks, ...Object.values(bodies?.examples ?? {}).map(({ value }): Ask => ({ body: value }))]
}

/** An example with several values is sent as a parameter that is repeated. */
function textOf(value: unknown): string | string[] {
  return Array.isArray(value) ? value.map(String) : String(value)
}

function resolved(parameter: object): { in: string; name: string; deprecated?: boolean } & Examples {
  if (!('$ref' in parameter)) return parameter as ReturnType<typeof resolved>
  const name = String(parameter.$ref).replace('#/components/parameters/', '')
  return contract.components.parameters[name] as ReturnType<typeof resolved>
}

test('an event stream fits the contract', async () => {
  const { token, jobId } = await newOwner()
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const response = await fetch(`${prism.url}/article-jobs/${jobId}`, { headers })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect(await response.text()).toContain('event: ')
})

test('Prism has found no violation of any severity', () => {
  expect(
    prism
      .output()
      .split('\n')
      .filter((line) => /violation|warn|error/i.test(line)),
  ).toEqual([])
})

test('Prism finds requests and responses that break the contract', async () => {
  const { token, articleId } = await newOwner()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const refused = await fetch(`${prism.url}/users/me`, { method: 'PATCH', headers, body: '{"language":5}' })
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('UNPROCESSABLE_ENTITY')])

  const article = await (await fetch(`${service.url}/articles/${articleId}`, { headers })).text()
  const wrong = article.replace(/"basis":"\w+"/, '"basis":"rumour"')
  expect(wrong).not.toBe(article)
  const upstream = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': crypto.randomUUID() })
    response.end(wrong)
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const other = await startPrism(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`)
  const found = await fetch(`${other.url}/articles/${articleId}`, { headers })
  expect([found.status, await found.text()]).toEqual([500, expect.stringContaining('VIOLATIONS')])
  await other.close()
  upstream.close()
})
