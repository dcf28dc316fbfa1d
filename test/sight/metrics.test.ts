import { afterAll, expect, inject, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { startFakeHost } from '../support/fakeHost.ts'
import { freePort, startProcess } from '../support/process.ts'

const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
const port = await freePort()
const server = await startProcess({ ...database.env, CODE_HOST_API_URL: host.url, METRICS_PORT: String(port) })
afterAll(async () => {
  await server.kill('SIGTERM')
  await database.drop()
  await host.close()
})

test('tells what goes on, on a port of its own, and no secrets', async () => {
  const token = host.token('watched')
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${server.url}/auth/signup`, { method: 'POST', headers })).status).toBe(201)
  for (let i = 0; i < 3; i++) await fetch(`${server.url}/users/me`, { headers })
  await fetch(`${server.url}/nowhere`)
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(answer.headers.get('content-type')).toContain('text/plain')
  const text = await answer.text()
  expect(text).toContain('pullpress_request_seconds_count{operation="getCurrentUser",status="200"} 3')
  expect(text).toContain('pullpress_request_seconds_count{operation="signUp",status="201"} 1')
  expect(text).toContain('pullpress_request_seconds_count{operation="other",status="404"} 1')
  expect(text).toMatch(/pullpress_host_call_seconds_count\{status="200"\} [1-9]/)
  expect(text).toMatch(/pullpress_database_connections\{state="open"\} [1-9]/)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect(text).not.toContain(token)
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
})
