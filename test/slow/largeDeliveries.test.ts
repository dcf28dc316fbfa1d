import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { deliveryBodies } from '../../src/domain/webhooks/receive.ts'
import { favoritesOf } from '../support/favorites.ts'
import { repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'
import { deliveryOf, WEBHOOK_SECRET, webhookHeaders } from '../support/webhooks.ts'

const issued = 'service-token-0123456789abcdef'
const service = await startService({ env: { CODE_HOST_TOKEN: issued, AUTOMATIC_ARTICLES: 'on', WEBHOOK_SECRET } })
afterAll(() => service.close())
const { host, ctx } = service
host.admit(issued, 'service')

const PATH = '/webhooks/host'
const MIB = 1024 * 1024
const sendText = (text: string, headers: Record<string, string>) => service.send('POST', PATH, { body: text, headers })

/** A JSON object of exactly this many bytes. */
const sized = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) })

test.each([
  ['pull_request', MIB],
  ['push', 25 * MIB],
])('accepts deliveries of %s with up to %d bytes', async (event, maxBytes) => {
  const bodies = [sized(maxBytes - 1), sized(maxBytes)]
  for (const body of bodies) expect((await sendText(body, webhookHeaders(event, body))).status).toBe(202)
  const [body = ''] = bodies
  expect((await sendText(body.replace('x', 'y'), webhookHeaders(event, body))).status).toBe(401)
  const tooLarge = sized(maxBytes + 1)
  const headers = webhookHeaders(event, tooLarge)
  for (const body of [tooLarge, new Blob([tooLarge]).stream()]) {
    const answer = await service.send('POST', PATH, { body, headers, duplex: 'half' })
    expect([answer.status, answer.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  }
})

test('unfinished deliveries occupy at most 32 MiB: the oldest get 503, and new ones are received', async () => {
  const { id } = repositoryOf(service, 'acme/crowded')
  await favoritesOf(service).favorite(await service.signedUp('hanako'), 'acme/crowded')
  const watched = ctx.db.updateTable('watched_repositories').where('host_repo_id', '=', id)
  const [checked_at, next_check_at] = [-11_000, 3_600_000].map((ms) => new Date(ctx.now().getTime() + ms))
  await watched.set({ checked_at, next_check_at }).execute()
  const text = sized(MIB)
  const headers = { ...webhookHeaders('pull_request', text), 'content-length': text.length }
  const unfinished = Array.from({ length: 32 }, () => request(service.url + PATH, { method: 'POST', headers }))
  for (const [i, sending] of unfinished.entries()) {
    sending.on('error', () => {}).write(text.slice(0, -1))
    await expect.poll(() => deliveryBodies(ctx).bytes()).toBeGreaterThanOrEqual((i + 1) * (MIB - 1))
  }
  expect((await sendText(text, webhookHeaders('pull_request', text))).status).toBe(202)
  expect(deliveryBodies(ctx).bytes()).toBeLessThanOrEqual(31 * MIB)
  const closed = deliveryOf('pull_request', { action: 'closed', number: 1, repository: { id } })
  expect((await service.call('receiveWebhook', closed)).status).toBe(202)
  const row = await ctx.db.selectFrom('watched_repositories').select('next_check_at').executeTakeFirst()
  expect(row?.next_check_at.getTime()).toBeLessThanOrEqual(ctx.now().getTime())
  const statuses = []
  for (const sending of unfinished.filter((_, i) => i === 0 || i === 31)) {
    sending.end(text.slice(-1))
    const [answer] = await once(sending, 'response')
    statuses.push(answer.statusCode)
  }
  expect(statuses).toEqual([503, 202])
  for (const sending of unfinished) sending.destroy()
  await expect.poll(() => deliveryBodies(ctx).bytes()).toBe(0)
})
