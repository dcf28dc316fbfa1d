import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, inject, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { startFakeHost } from '../support/fakeHost.ts'
import { startProcess } from '../support/process.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
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
})

const attributeOf = (span: Span | undefined, key: string) =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0]

test('a request is followed to the queries and host calls that it takes', async () => {
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const env = { ...database.env, CODE_HOST_API_URL: host.url, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const server = await startProcess(env)
  const token = host.token('traced')
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = { authorization: `Bearer ${token}`, traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  const answer = await fetch(`${server.url}/auth/signup`, { method: 'POST', headers })
  expect(answer.status).toBe(201)
  expect(await server.kill('SIGTERM')).toBe(0)

  const spans: Span[] = received.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
  const request = spans.find((span) => span.name === 'signUp')
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
  expect(attributeOf(request, 'pullpress.request_id')).toBe(answer.headers.get('x-request-id'))
  expect(Number(attributeOf(request, 'http.response.status_code'))).toBe(201)
  const within = spans.filter((span) => span.parentSpanId === request?.spanId)
  expect(within.map((span) => span.name)).toContain('code host')
  const queries = within
    .filter((span) => span.name === 'query')
    .map((span) => String(attributeOf(span, 'db.query.text')))
  expect(queries.some((sql) => sql.includes('insert into "users"'))).toBe(true)
  expect(received.join('')).not.toContain(token)
})
