import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { openBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { behaves, startFakeModel } from '../support/fakeModel.ts'
import { startProcess } from '../support/process.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  traceState?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
const model = await startFakeModel()
const received: string[] = []
const collector = createServer(async (request, response) => {
  received.push(await text(request))
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
collector.listen(0, '127.0.0.1')
await once(collector, 'listening')
afterAll(async () => {
  collector.close()
  await database.drop()
  await host.close()
  await model.close()
})

const attributeOf = (span: Span | undefined, key: string) =>
  Object.values(span?.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0]

/** Starts a server, does the work with it, and returns the spans that the server exported until it exited. */
async function tracesOf(env: Record<string, string>, work: (url: string) => Promise<void>): Promise<Span[]> {
  received.length = 0
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const server = await startProcess({
    ...database.env,
    ...env,
    CODE_HOST_API_URL: host.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  })
  await work(server.url)
  expect(await server.kill('SIGTERM')).toBe(0)
  return received.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
}

const queriesOf = (spans: Span[]) =>
  spans.filter((span) => span.name === 'query').map((span) => String(attributeOf(span, 'db.query.text')))

test('traces a request to its queries and host calls', async () => {
  const token = host.token('traced')
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const caller = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'vendor=1' }
  const headers = { authorization: `Bearer ${token}`, ...caller }
  let requestId: string | null = null
  const spans = await tracesOf({}, async (url) => {
    const answer = await fetch(`${url}/auth/signup`, { method: 'POST', headers })
    expect(answer.status).toBe(201)
    requestId = answer.headers.get('x-request-id')
  })
  const request = spans.find((span) => span.name === 'signUp')
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', traceState: 'vendor=1' })
  expect(attributeOf(request, 'pullpress.request_id')).toBe(requestId)
  expect(Number(attributeOf(request, 'http.response.status_code'))).toBe(201)
  const within = spans.filter((span) => span.parentSpanId === request?.spanId)
  expect(within.map((span) => span.name)).toContain('code host')
  expect(queriesOf(within).some((sql) => sql.includes('insert into "users"'))).toBe(true)
  expect(received.join('')).not.toContain(token)
})

test('traces an article from the request to the model', async () => {
  const token = host.token('author')
  const patch = '@@ -1,1 +1,2 @@\n const a = 1\n+const b = 2'
  host.repository({ id: 1, owner: 'acme', name: 'shop', pulls: [{ number: 1, files: [{ filename: 'a.ts', patch }] }] })
  model.next(behaves.slow(700))
  const spans = await tracesOf(model.env, async (url) => {
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${url}/auth/signup`, { method: 'POST', headers })).status).toBe(201)
    const answer = await fetch(`${url}/repos/acme/shop/pulls/1/article`, { method: 'POST', headers })
    expect(answer.status).toBe(200)
  })
  const request = spans.find((span) => span.name === 'generateArticle')
  const writing = spans.find((span) => span.name === 'write article')
  expect(writing).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId })
  const within = spans.filter((span) => span.parentSpanId === writing?.spanId)
  expect(within.map((span) => span.name)).toContain('model')
  expect(queriesOf(within).some((sql) => sql.includes('"article_texts"'))).toBe(true)
  // The polling query that all waiting requests share belongs to no trace.
  expect(queriesOf(spans).filter((sql) => sql.includes('id = any('))).toEqual([])
  expect(received.join('')).not.toContain(model.env.OPENAI_API_KEY)
})

test('a request for a page looks up its session once', async () => {
  host.repository({ id: 2, owner: 'acme', name: 'paper', pulls: [{ number: 1, files: [{ filename: 'a.ts' }] }] })
  const spans = await tracesOf({}, async (url) => {
    const browser = openBrowser(url)
    await browser.submit('/sign-in', { token: host.token('reader') })
    let page = await browser.submit('/read/open', { address: 'acme/paper#1' })
    while (page.url.includes('/writing/')) page = await browser.visit(page.url)
    const [, articleId = ''] = /articles\/([\w-]{36})/.exec(page.url) ?? []
    const liked = await browser.submit('/read/like', { articleId, language: 'en', to: page.url.slice(url.length) })
    expect(await liked.text()).toContain('aria-pressed="true"')
    expect((await browser.visit('/read/me')).status).toBe(200)
    expect((await browser.visit('/read/none')).status).toBe(404)
    expect((await browser.submit('/read/favorites', { repository: 'acme/none' })).status).toBe(404)
    await browser.ask('/sign-out', { method: 'POST', headers: { origin: url } })
    expect(browser.cookies.has('pullpress_session')).toBe(false)
  })
  const requests = spans.filter(({ name }) => /^(GET|POST) \/(read|sign-out)/.test(name))
  expect(requests.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['GET /read', 'GET /read/articles/:articleId', 'POST /read/like', 'GET /read/me']),
  )
  // After 5 ms, a request also checks by session id that its session has not ended. This check is not counted here.
  const lookups = ({ spanId }: Span) =>
    queriesOf(spans.filter((span) => span.parentSpanId === spanId)).filter((sql) => sql.includes('token_hash'))
  expect(requests.filter((request) => lookups(request).length !== 1).map(({ name }) => name)).toEqual([])
})

test('does not send traces to a redirect target', async () => {
  received.length = 0
  let redirected = 0
  const elsewhere = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
  const moved = createServer((request, response) => {
    redirected += 1
    request.resume()
    response.writeHead(307, { location: elsewhere }).end()
  }).listen(0, '127.0.0.1')
  await once(moved, 'listening')
  const endpoint = `http://127.0.0.1:${(moved.address() as AddressInfo).port}`
  const server = await startProcess({
    ...database.env,
    CODE_HOST_API_URL: host.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  })
  await fetch(`${server.url}/healthz`)
  expect(await server.kill('SIGTERM')).toBe(0)
  expect(redirected).toBeGreaterThan(0)
  expect(received).toEqual([])
  moved.close()
})
