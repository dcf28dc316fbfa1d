import { readFile } from 'node:fs/promises'
import { afterAll, expect, inject, test } from 'vitest'
import type { components } from '../../generated/api.ts'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { createTestDatabase } from '../support/database.ts'
import { answer, type Behaviour, holding, startFakeModel } from '../support/fakeModel.ts'
import { merged } from '../support/merges.ts'
import { freePort, startProcess } from '../support/process.ts'
import { changed } from '../support/pulls.ts'

type Schemas = components['schemas']

const host = await startFakeHost()
const model = await startFakeModel()
const database = await createTestDatabase(inject('template'))
const port = await freePort()
const server = await startProcess({
  ...database.env,
  ...model.env,
  CODE_HOST_API_URL: host.url,
  METRICS_PORT: String(port),
  MODEL_PRICES_PER_MILLION_TOKENS: '2,10,0.5,2.5',
  AUTOMATIC_ARTICLES: 'on',
  AUTOMATIC_ARTICLES_PER_DAY: '0',
  WATCH_INTERVAL_SECONDS: '1',
  CODE_HOST_TOKEN: host.token('pullpress'),
})
afterAll(async () => {
  await server.kill('SIGTERM')
  await database.drop()
  await Promise.all([host.close(), model.close()])
})
const token = host.token('watched')
const headers = { authorization: `Bearer ${token}` }
const ask = (path: string, method = 'GET', more: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method, headers: { ...headers, ...more } })
const metricsAs = async (accept: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { accept } })
  expect(answer.status).toBe(200)
  return { text: await answer.text(), type: answer.headers.get('content-type') }
}
const metrics = async () => (await metricsAs('*/*')).text
host.repository({
  id: 1,
  owner: 'acme',
  name: 'shop',
  pulls: [1, 2, 3].map((number) => ({ number, files: [changed('src/app.ts')] })),
})
const article = (number: number) => `/repos/acme/shop/pulls/${number}/article`

test('serves metrics without secrets on a separate port', async () => {
  expect((await ask('/auth/signup', 'POST')).status).toBe(201)
  const read = await ask('/users/me')
  for (let i = 0; i < 2; i++) await ask('/users/me')
  await ask('/nowhere')
  const { text } = await metricsAs('application/openmetrics-text')
  expect(text).toContain('pullpress_request_seconds_count{operation="getCurrentUser",status="200"} 3')
  expect(text).toContain('pullpress_request_seconds_count{operation="signUp",status="201"} 1')
  expect(text).toContain('pullpress_request_seconds_count{operation="other",status="404"} 1')
  expect(text).toMatch(/operation="getCurrentUser",status="200"\} \d+ # \{request_id="[\da-f-]{36}"\}/)
  expect(read.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  expect(text).toMatch(/pullpress_host_call_seconds_count\{status="200"\} [1-9]/)
  expect(text).toMatch(/pullpress_database_connections\{state="open"\} [1-9]/)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect(text).not.toContain('nodejs_eventloop_utilization')
  expect(text).not.toContain(token)
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
})

test('reports the version, the state of the circuit breaker and what is left of each budget', async () => {
  const text = await metrics()
  expect(text).toMatch(/^pullpress_build_info\{version="\d+\.\d+\.\d+",node="24\.\d+\.\d+"\} 1$/m)
  expect(text).toContain('pullpress_model_breaker{state="closed"} 1')
  expect(text).toContain('pullpress_model_breaker{state="open"} 0')
  for (const budget of ['model_tokens', 'automatic_articles', 'watch_calls'])
    for (const of of ['used', 'left'])
      expect(text).toMatch(new RegExp(`pullpress_budget\\{budget="${budget}",of="${of}"\\} \\d`))
})

test('has every metric that the alerts, the dashboard and the guide name', async () => {
  const folder = new URL('../../scripts/deploy/', import.meta.url)
  const scraped = [...(await metrics()).matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
  for (const file of ['alerts.yaml', 'grafana.json', 'README.md']) {
    const names =
      (await readFile(new URL(file, folder), 'utf8')).match(/\b(pullpress|process|nodejs)_[a-z0-9_]+/g) ?? []
    expect([file, names.length > 8]).toEqual([file, true])
    for (const name of names)
      expect(scraped, file).toSatisfy((all) =>
        [name, name.replace(/_(count|bucket)$/, '')].some((each) => all.includes(each)),
      )
  }
})

test('serves the text format of Prometheus, or OpenMetrics if it is preferred', async () => {
  const text = 'text/plain; version=0.0.4; charset=utf-8'
  const openMetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
  const prometheus =
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,' +
    'text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2'
  const cases: [string, string][] = [
    [prometheus, openMetrics],
    ['application/openmetrics-text', openMetrics],
    ['text/plain', text],
    ['text/plain;version=0.0.4;q=0.9,application/openmetrics-text;q=0.5', text],
    ['text/html,application/xhtml+xml,*/*;q=0.8', text],
    ['application/json', text],
    ['*/*', text],
  ]
  const printed = new Map<string, string>()
  // The formats alternate, because printing one must not change the other.
  for (const [accept, type] of [...cases, ...cases]) {
    const answer = await metricsAs(accept)
    expect([accept, answer.type]).toEqual([accept, type])
    printed.set(type, answer.text)
  }
  const plain = printed.get(text) ?? ''
  expect(plain).not.toMatch(/^# EOF|# \{/m)
  expect(printed.get(openMetrics)).toMatch(/# EOF\n$/)
  const familiesOf = (page = '') =>
    [...page.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type]) => [name.replace(/_total$/, ''), type])
  expect(familiesOf(plain)).toEqual(familiesOf(printed.get(openMetrics)))
  // In the text format of Prometheus, a TYPE line contains the full name of its samples, with the suffix _total.
  const counters = [...plain.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name = '']) => name)
  expect(counters.length).toBeGreaterThan(5)
  for (const name of counters) expect(plain).not.toMatch(new RegExp(`^${name}_total`, 'm'))
  for (const name of ['process_start_time_seconds', 'pullpress_request_seconds_bucket', 'process_cpu_seconds_total'])
    expect(plain).toMatch(new RegExp(`^${name}[{ ]`, 'm'))
})

test('counts cache hits and misses', async () => {
  for (let i = 0; i < 3; i++) await ask('/repos/acme/shop/pulls')
  for (let i = 0; i < 3; i++) await ask(article(1), 'POST')
  for (let i = 0; i < 2; i++) await ask('/repos/acme/shop/pulls/1/ingest', 'POST')
  const text = await metrics()
  expect(text).toContain('pullpress_cache_lookups_total{of="list",outcome="miss"} 1')
  expect(text).toContain('pullpress_cache_lookups_total{of="list",outcome="hit"} 2')
  expect(text).toContain('pullpress_cache_lookups_total{of="article",outcome="miss"} 1')
  expect(text).toContain('pullpress_cache_lookups_total{of="article",outcome="hit"} 2')
  expect(text).toMatch(/pullpress_cache_lookups_total\{of="host answer",outcome="hit"\} [1-9]/)
})

test('counts model calls, tokens, cost and jobs', async () => {
  const before = await metrics()
  const usage = {
    ...{ prompt_tokens: 4801, completion_tokens: 200, total_tokens: 5001 },
    prompt_tokens_details: { cached_tokens: 3000, cache_write_tokens: 1000 },
    completion_tokens_details: { reasoning_tokens: 50 },
  }
  const no: Behaviour = (_, response) => answer(response, { content: 'no', usage })
  model.next(no, no, no)
  expect((await ask(article(2), 'POST')).status).toBe(422)
  const { released, release } = holding()
  model.next(async (_, response, good) => {
    await released
    answer(response, { content: JSON.stringify(good), usage })
  })
  await ask(article(3), 'POST', { prefer: 'respond-async' })
  await expect.poll(metrics).toContain('pullpress_jobs{status="running",of="count"} 1')
  expect(await metrics()).toMatch(/pullpress_jobs\{status="running",of="oldest_seconds"\} [0-9.]+/)
  release()
  await expect.poll(metrics).toContain('pullpress_jobs_ended_total{status="succeeded"} 2')
  const text = await metrics()
  expect(text).toContain('pullpress_jobs_ended_total{status="failed"} 1')
  expect(text).toContain('pullpress_jobs_failed_total{reason="generation_failed"} 1')
  for (const of of ['count', 'oldest_seconds'])
    for (const status of ['queued', 'running'])
      expect(text).toContain(`pullpress_jobs{status="${status}",of="${of}"} 0`)
  const valueIn = (page: string, series: string) => Number(page.split(`${series}} `)[1]?.split('\n')[0] ?? 0)
  const added = (series: string) => valueIn(text, series) - valueIn(before, series)
  expect(added('pullpress_model_calls_total{model="fake-model",outcome="answered"')).toBe(4)
  const tokens = { in: 4 * 4801, cached: 4 * 3000, cache_write: 4 * 1000, out: 4 * 200, reasoning: 4 * 50 }
  for (const [direction, count] of Object.entries(tokens))
    expect(added(`pullpress_model_tokens_total{model="fake-model",direction="${direction}"`)).toBe(count)
  const costOfCall = (801 * 2 + 3000 * 0.5 + 1000 * 2.5 + 200 * 10) / 1_000_000
  expect(added('pullpress_model_cost_total{model="fake-model"')).toBeCloseTo(4 * costOfCall, 6)
  expect(text).not.toContain(model.env.OPENAI_API_KEY)
})

test('reports merged pull requests that wait to be handled, and how late checks are', async () => {
  const body = JSON.stringify({ owner: 'acme', repo: 'shop' })
  const more = { ...headers, 'content-type': 'application/json' }
  const added = await fetch(`${server.url}/users/me/favorite-repositories`, { method: 'POST', headers: more, body })
  expect(added.status).toBe(201)
  const checkedAt = async () => {
    const { data } = (await (await ask('/repos/acme/shop/merges')).json()) as Schemas['MergesResponse']
    return data.watching?.checkedAt ?? null
  }
  await expect.poll(checkedAt).not.toBeNull()
  expect(await metrics()).toMatch(/^pullpress_watch_overdue_seconds [0-9.]+$/m)
  const now = new Date().toISOString()
  host.repositories[0]?.pulls?.push(merged(9, 0, { mergedAt: now, updatedAt: now }))
  await expect.poll(metrics).toContain('pullpress_merges{status="waiting"} 1')
})
