import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { createTestDatabase, POSTGRES_URL } from '../support/database.ts'
import { startFakeModel } from '../support/fakeModel.ts'
import { openLink } from '../support/link.ts'
import { startProcess } from '../support/process.ts'
import { changed } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const SETTLE_MS = 3000
const QUIET_MS = 20_000
/** In the quiet time the queue polls for jobs 7 times and for lost workers once or twice, about ten statements each. */
const MAX_STATEMENTS = 35

const host = await startFakeHost()
const model = await startFakeModel()
const database = await createTestDatabase(inject('template'))
const link = await openLink(Number(new URL(POSTGRES_URL).port || 5432))
const env = { ...database.env, ...model.env, CODE_HOST_API_URL: host.url }
const linked = new URL(database.env['DATABASE_URL'] ?? '')
linked.port = String(link.port)
const other = await startProcess({ ...env, ROLE: 'api' })
// Started last, so that even on a busy machine the quiet time does not include a second check for lost workers.
const node = await startProcess({ ...env, DATABASE_URL: linked.href })
const client = new pg.Client({ connectionString: database.env['DATABASE_URL'] })
await client.connect()
afterAll(async () => {
  await Promise.all([node.kill('SIGKILL'), other.kill('SIGKILL')])
  link.close()
  await client.end()
  await database.drop()
  await Promise.all([host.close(), model.close()])
})

const headers = { authorization: `Bearer ${host.token('reader')}`, prefer: 'respond-async' }
host.repository({ id: 1, owner: 'acme', name: 'shop', pulls: [{ number: 1, files: [changed('src/app.ts')] }] })

/** How long the only job of this database waited in the queue, by the database clock. */
async function secondsInQueue(): Promise<number | undefined> {
  const { rows } = await client.query<{ seconds: number | null }>(
    `select extract(epoch from started_on - created_on)::float8 as seconds from pgboss.job where name = 'articles'`,
  )
  return rows[0]?.seconds ?? undefined
}

test('an idle node sends few database statements', async () => {
  await sleep(SETTLE_MS)
  const before = link.sent()
  await sleep(QUIET_MS)
  expect(link.sent() - before).toBeLessThan(MAX_STATEMENTS)
  expect(link.sent() - before).toBeGreaterThan(0)
})

test('within 5 seconds, an idle node starts a job that another node queued', async () => {
  await fetch(`${other.url}/auth/signup`, { method: 'POST', headers })
  const { status } = await fetch(`${other.url}/repos/acme/shop/pulls/1/article`, { method: 'POST', headers })
  expect(status).toBe(202)
  await expect.poll(secondsInQueue, { timeout: 60_000 }).toBeLessThan(5)
})

test('an idle node starts its own jobs without polling', async () => {
  const service = await startService({ jobPollMs: 3_600_000 })
  const token = await service.signedUp('reader')
  // The worker polls once at the start, which cannot serve all of these sequential jobs.
  for (let count = 0; count < 5; count += 1) {
    const { status } = await articlesOf(service).generate(aPull(service), token)
    expect(status).toBe(200)
  }
  await service.close()
})
