import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { claimJob } from '../../src/db/articles/articleJobs.ts'
import { openDatabase } from '../../src/db/engine/open.ts'
import { openQueue } from '../../src/db/jobs/queue.ts'
import { Secret } from '../../src/lib/secret.ts'
import { openBrowser } from '../support/browser.ts'
import { createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { behaves, startFakeModel } from '../support/fakeModel.ts'
import { freePort, startProcess } from '../support/process.ts'
import { changed } from '../support/pulls.ts'

/** Each test starts several processes in sequence. */
const TEST_TIMEOUT_MS = 180_000
const WAIT_MS = 60_000

const host = await startFakeHost()
const model = await startFakeModel()
const database = await createTestDatabase(inject('template'))
const env = { ...database.env, ...model.env, CODE_HOST_API_URL: host.url }
const api = await startProcess({ ...env, ROLE: 'api' })
const { DATABASE_URL = '', MIGRATIONS_DATABASE_URL = DATABASE_URL } = database.env
const { db, close } = await openDatabase({
  databaseUrl: new Secret(MIGRATIONS_DATABASE_URL),
  dataDir: '',
  onConnectionError: () => {},
})
afterAll(async () => {
  await api.kill('SIGKILL')
  await close()
  await database.drop()
  await Promise.all([host.close(), model.close()])
})

const client = createClient(api.url)
const token = host.token('reader')
await client.call('signUp', { token, body: { language: 'en' } })
const pulls = [1, 2].map((number) => ({ number, files: [changed('src/app.ts')] }))
host.repository({ id: 1, owner: 'acme', name: 'shop', pulls })

const generate = (number: number, prefer: string) => {
  const params = { owner: 'acme', repo: 'shop', number: String(number) }
  return client.call('generateArticle', { token, params, headers: { prefer } })
}
const readJob = async (jobId: string) => (await client.call('getArticleJob', { token, params: { jobId } })).body.data

async function startWorker(more: Record<string, string> = {}) {
  const worker = await startProcess({ ...env, ROLE: 'worker', ...more })
  onTestFinished(async () => void (await worker.kill('SIGKILL')))
  return worker
}

/** A job that two lost nodes claimed before, and for which a third node now waits for the model. */
async function claimedThreeTimes(number: number) {
  const { body } = await generate(number, 'respond-async')
  for (let claim = 0; claim < 2; claim++) await claimJob(db, body.data.id, new Date())
  const before = model.requests.length
  model.next(behaves.hang)
  const worker = await startWorker()
  await expect.poll(() => model.requests.length, { timeout: WAIT_MS }).toBe(before + 1)
  return { id: body.data.id as string, worker, modelCalls: () => model.requests.length - before }
}

/** Ages the heartbeats of active jobs by a minute, then has the queue check for lost workers. */
async function superviseAfterSilence(): Promise<void> {
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`.execute(db)
  await sql`update pgboss.queue set monitor_claim_on = null, monitor_on = null`.execute(db)
  const queue = openQueue(db)
  await queue.start()
  await queue.supervise()
  await queue.stop({ graceful: false })
}

test('fails a job as node_lost after three lost nodes, and starts a new job on the next request', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const browser = openBrowser(api.url)
  await browser.submit('/sign-in', { token })
  const { id, worker, modelCalls } = await claimedThreeTimes(1)
  const port = await freePort()
  const next = await startWorker({ METRICS_PORT: String(port) })
  await worker.kill('SIGKILL')
  const waiting = generate(1, 'wait=60')
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const events = fetch(`${api.url}/article-jobs/${id}`, { headers }).then((response) => response.text())
  await superviseAfterSilence()

  const { status, body } = await waiting
  expect([status, body.error]).toMatchObject([422, { code: 'GENERATION_FAILED', details: { reason: 'node_lost' } }])
  expect(await events).toMatch(/\nevent: failed\ndata: .*"reason":"node_lost"/)
  expect(await readJob(id)).toMatchObject({
    status: 'failed',
    error: { code: 'GENERATION_FAILED', reason: 'node_lost' },
  })
  const page = await browser.visit(`/read/writing/${id}`)
  expect([page.status, await page.text()]).toEqual([422, expect.stringContaining('was interrupted too often')])
  expect(modelCalls()).toBe(1)
  await expect.poll(next.output).toMatch(new RegExp(`"jobId":"${id}".*"reason":"node_lost"`))
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(metrics).toContain('pullpress_jobs_failed_total{reason="node_lost"} 1')

  expect((await generate(1, 'wait=60')).status).toBe(200)
  expect(modelCalls()).toBe(2)
})

test('a node that hands over its job on SIGTERM does not count as lost', { timeout: TEST_TIMEOUT_MS }, async () => {
  const { id, worker } = await claimedThreeTimes(2)
  await startWorker()
  expect(await worker.kill('SIGTERM')).toBe(0)
  await expect.poll(async () => (await readJob(id)).status, { timeout: WAIT_MS }).toBe('succeeded')
})
