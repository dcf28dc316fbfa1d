import { Agent, request } from 'undici'
import { afterAll, expect, inject, test } from 'vitest'
import { asAdmin, createTestDatabase } from '../support/database.ts'
import { startProcess } from '../support/process.ts'
import { WEBHOOK_SECRET, webhookHeaders } from '../support/webhooks.ts'

const DELIVERIES = 2000
/** Makes the payloads as long as many real ones are. */
const description = 'x'.repeat(20_000)
const database = await createTestDatabase(inject('template'))
const databaseUrl = database.env['DATABASE_URL']
const service = await startProcess({ ...database.env, WEBHOOK_SECRET, RATE_LIMITS: 'on' })
/** A connection for each delivery, without timeouts. */
const agent = new Agent({ connect: { timeout: 0 }, headersTimeout: 0, bodyTimeout: 0 })
afterAll(async () => {
  await agent.close()
  await service.kill('SIGTERM')
  await database.drop()
})

async function deliver(body: string): Promise<number> {
  const headers = webhookHeaders('pull_request', body)
  const answer = await request(`${service.url}/webhooks/host`, { method: 'POST', headers, body, dispatcher: agent })
  await answer.body.dump()
  return answer.statusCode
}

test('accepts 2,000 webhook deliveries at once, and marks each repository for a check', {
  timeout: 600_000,
}, async () => {
  if (databaseUrl)
    await asAdmin(
      `insert into repositories (host_repo_id, owner, name, private, verified_at)
       select id, 'acme', 'project-' || id, false, now() from generate_series(1, ${DELIVERIES}) id;
       insert into watched_repositories (host_repo_id, started_at, active_at, next_check_at)
       select host_repo_id, now(), now(), now() + interval '1 hour' from repositories`,
      databaseUrl,
    )
  const payloads = Array.from({ length: DELIVERIES }, (_, i) =>
    JSON.stringify({ action: 'closed', repository: { id: i + 1 }, pull_request: { body: description } }),
  )
  const statuses = await Promise.all(payloads.map(deliver))
  expect(
    Map.groupBy(statuses, (status) => status)
      .keys()
      .toArray(),
  ).toEqual([202])
  // Only one process can open the embedded database, so this test cannot read it.
  if (!databaseUrl) return
  const hinted = await asAdmin('select from watched_repositories where hinted_at is not null', databaseUrl)
  expect(hinted.length).toBe(DELIVERIES)
})
