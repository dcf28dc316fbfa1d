import { once } from 'node:events'
import { request } from 'node:http'
import { sign } from '@octokit/webhooks-methods'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { favoritesOf } from '../support/favorites.ts'
import { paramsOf, pullsOf, repositoryOf } from '../support/pulls.ts'
import { dump, expectNoSecrets, startService } from '../support/service.ts'
import { deliveryOf, signatureOf, WEBHOOK_SECRET, webhookHeaders } from '../support/webhooks.ts'

const OLD_SECRET = 'webhook-secret-old-fedcba987654'
const issued = 'service-token-0123456789abcdef'
const service = await startService({
  env: { CODE_HOST_TOKEN: issued, AUTOMATIC_ARTICLES: 'on', WEBHOOK_SECRET: `${WEBHOOK_SECRET},${OLD_SECRET}` },
})
const { host, ctx } = service
host.admit(issued, 'service')
afterAll(async () => {
  await expectNoSecrets([WEBHOOK_SECRET, OLD_SECRET], service.logged.join(''), await dump(ctx))
  await service.close()
})
afterEach(() => host.heal())

const { favorite } = favoritesOf(service)
const { ingested, get } = pullsOf(service)
const token = await service.signedUp('hanako')

const deliver = (event: string, body: unknown, secret?: string) =>
  service.call('receiveWebhook', deliveryOf(event, body, secret))
const PATH = '/webhooks/host'
/** Sends exactly this text, bypassing the Prism proxy that some test runs use, because it would change the bytes. */
const sendText = (text: string, headers: Record<string, string>) => service.send('POST', PATH, { body: text, headers })
const closed = (id: unknown) => ({ action: 'closed', number: 1, repository: { id } })
const watched = (id: number) =>
  ctx.db.selectFrom('watched_repositories').where('host_repo_id', '=', id).selectAll().executeTakeFirst()

const SECOND_MS = 1000
const MIB = 1024 * 1024
const HOUR_MS = 3_600_000

/** Sends headers that announce a body, but no body, and returns the status of the response. */
async function statusBeforeBody(headers: Record<string, string>, bytes: number): Promise<number | undefined> {
  const announced = { ...headers, 'content-length': bytes }
  const sending = request(service.url + PATH, { method: 'POST', headers: announced })
  sending.flushHeaders()
  const [answer] = await once(sending, 'response')
  sending.destroy()
  return answer.statusCode
}

/** Creates a favorite repository whose last check was `checkedAgoMs` ago and whose next check is due in an hour. */
async function watchedRepository(name: string, checkedAgoMs: number | undefined) {
  const repository = repositoryOf(service, name)
  await favorite(token, name)
  const now = ctx.now().getTime()
  const next_check_at = new Date(now + HOUR_MS)
  const checked_at = checkedAgoMs === undefined ? null : new Date(now - checkedAgoMs)
  await ctx.db
    .updateTable('watched_repositories')
    .set({ checked_at, next_check_at })
    .where('host_repo_id', '=', repository.id)
    .execute()
  return { ...repository, now, next_check_at }
}

describe('signatures', () => {
  test('accepts deliveries that are signed with any configured secret', async () => {
    for (const secret of [WEBHOOK_SECRET, OLD_SECRET]) {
      const { status, body } = await deliver('ping', { zen: 'Keep it logically awesome.' }, secret)
      expect(status).toBe(202)
      expect(body).toEqual({
        success: true,
        data: { receivedAt: expect.any(String) },
        message: 'Delivery received.',
      })
    }
  })

  test('these tests sign deliveries like the official library', async () => {
    const text = JSON.stringify({ zen: '実用性は純粋さに勝る。' })
    expect(signatureOf(text)).toBe(await sign(WEBHOOK_SECRET, text))
  })

  test('rejects a delivery without a valid signature of its body, and does not act on it', async () => {
    const { id, next_check_at } = await watchedRepository('acme/forged', HOUR_MS)
    const text = JSON.stringify(closed(id))
    const valid = webhookHeaders('pull_request', text)
    const wrong: Record<string, [string, Record<string, string>]> = {
      'another secret': [text, webhookHeaders('pull_request', text, 'guessed')],
      'a changed body': [`${text} `, valid],
      'a changed id': [text.replace(String(id), String(id + 1)), valid],
      'no scheme': [text, { ...valid, 'x-hub-signature-256': signatureOf(text).slice(7) }],
      'upper case': [text, { ...valid, 'x-hub-signature-256': signatureOf(text).toUpperCase() }],
      'a part': [text, { ...valid, 'x-hub-signature-256': signatureOf(text).slice(0, -1) }],
      garbage: [text, { ...valid, 'x-hub-signature-256': 'x'.repeat(5000) }],
      'an empty one': [text, { ...valid, 'x-hub-signature-256': '' }],
      'a body that is not JSON': ['{', valid],
    }
    const { 'x-hub-signature-256': _, ...unsigned } = valid
    for (const [kind, [body, headers]] of Object.entries({ ...wrong, none: [text, unsigned] as const })) {
      const answer = await sendText(body, headers)
      expect([kind, answer.status, answer.body.error?.code]).toEqual([kind, 401, 'UNAUTHENTICATED'])
    }
    expect((await watched(id))?.next_check_at).toEqual(next_check_at)
  })

  test('verifies the signature of the exact bytes received, not of reformatted JSON', async () => {
    const text = '{ "zen":\t"設定 \\u00e9 é",\n "repository": {"id": 1e0} }\n'
    expect((await sendText(text, webhookHeaders('ping', text))).status).toBe(202)
    const rewritten = JSON.stringify(JSON.parse(text))
    expect((await sendText(rewritten, webhookHeaders('ping', text))).status).toBe(401)
  })
})

describe('requests', () => {
  test('returns 404 for every delivery if no secret is configured', async () => {
    const closedService = await startService()
    const { status, body } = await closedService.call('receiveWebhook', deliveryOf('ping', {}))
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    await closedService.close()
  })

  test('rejects other media types, empty bodies and unknown parameters', async () => {
    const form = `payload=${encodeURIComponent('{}')}`
    const formHeaders = { ...webhookHeaders('ping', form), 'content-type': 'application/x-www-form-urlencoded' }
    expect((await sendText(form, formHeaders)).status).toBe(415)
    expect((await sendText('', webhookHeaders('ping', ''))).status).toBe(400)
    expect((await service.call('receiveWebhook', { ...deliveryOf('ping', {}), query: { a: 1 } })).status).toBe(400)
  })

  test('refuses a delivery with wrong headers without waiting for its body', async () => {
    const { 'x-hub-signature-256': _, ...unsigned } = webhookHeaders('push', '{}')
    expect(await statusBeforeBody(unsigned, MIB)).toBe(401)
    expect(await statusBeforeBody(webhookHeaders('push', '{}'), 26 * MIB)).toBe(413)
    expect(await statusBeforeBody(webhookHeaders('repository', '{}'), 2 * MIB)).toBe(413)
  })

  test('rejects signed bodies that are not JSON objects', async () => {
    for (const text of ['{', '[]', 'null', '"text"', '1', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`]) {
      const { status, body } = await sendText(text, webhookHeaders('repository', text))
      expect([text, status, body.error?.code]).toEqual([text, 400, 'VALIDATION_ERROR'])
    }
  })

  test('does not parse the bodies of events that it does not handle', async () => {
    for (const text of ['{', '[]', '"text"', `${'{"a":'.repeat(40)}`])
      expect((await sendText(text, webhookHeaders('push', text))).status).toBe(202)
  })

  test('accepts but ignores deliveries of unhandled events and deliveries without a valid repository id', async () => {
    const { id, next_check_at } = await watchedRepository('acme/ignored', HOUR_MS)
    const ids = [undefined, null, 'x', String(id), -id, 0, 1.5, 1e300, [id], { id }]
    const repositories = [...ids.map((each) => ({ id: each })), null, [], id, 'x', undefined]
    const calls = await host.during(async () => {
      for (const repository of repositories)
        for (const event of ['pull_request', 'repository'])
          expect((await deliver(event, { action: 'closed', repository })).status).toBe(202)
      for (const event of ['ping', 'push', 'pull_request_review', 'constructor', ''])
        expect((await deliver(event, closed(id))).status).toBe(202)
      for (const action of ['opened', undefined, ['closed']])
        expect((await deliver('pull_request', { action, repository: { id } })).status).toBe(202)
    })
    expect(calls.count).toBe(0)
    expect((await watched(id))?.next_check_at).toEqual(next_check_at)
  })

  test('limits the rate of deliveries from one IP address', async () => {
    const limited = await startService({
      env: { WEBHOOK_SECRET, RATE_LIMITS: 'on', RATE_LIMIT_WRITES: '1' },
    })
    const statuses = []
    for (let i = 0; i < 6; i++)
      statuses.push(
        (await limited.call('receiveWebhook', deliveryOf('ping', {}, i === 0 ? 'forged' : undefined))).status,
      )
    expect(statuses).toEqual([401, 202, 202, 202, 202, 429])
    await limited.close()
  })
})

describe('deliveries about closed pull requests', () => {
  test('a delivery makes the next check of the repository due now', async () => {
    for (const checkedAgoMs of [undefined, 11 * SECOND_MS]) {
      const { id, now } = await watchedRepository(`acme/closed-${checkedAgoMs}`, checkedAgoMs)
      expect((await deliver('pull_request', closed(id))).status).toBe(202)
      const due = (await watched(id))?.next_check_at.getTime() ?? 0
      expect(due).toBeGreaterThanOrEqual(now)
      expect(due).toBeLessThanOrEqual(ctx.now().getTime())
    }
  })

  test('a delivery makes the next check due no earlier than 10 seconds after the last check', async () => {
    const { id, now } = await watchedRepository('acme/just-checked', 0)
    for (let i = 0; i < 3; i++) await deliver('pull_request', closed(id))
    expect((await watched(id))?.next_check_at.getTime()).toBe(now + 10 * SECOND_MS)
  })

  test('a delivery does not postpone an overdue check', async () => {
    const { id } = await watchedRepository('acme/overdue', HOUR_MS)
    const next_check_at = new Date(ctx.now().getTime() - 60 * SECOND_MS)
    await ctx.db.updateTable('watched_repositories').set({ next_check_at }).where('host_repo_id', '=', id).execute()
    await deliver('pull_request', closed(id))
    expect((await watched(id))?.next_check_at).toEqual(next_check_at)
  })

  test('deliveries change nothing for unknown and unwatched repositories', async () => {
    const { id } = repositoryOf(service, 'acme/unwatched', { pulls: [{ number: 1 }] })
    await ingested('acme/unwatched#1', token)
    const calls = await host.during(async () => {
      for (const each of [id, 987_654_321]) expect((await deliver('pull_request', closed(each))).status).toBe(202)
    })
    expect(calls.count).toBe(0)
    expect(await watched(id)).toBeUndefined()
    expect(await watched(987_654_321)).toBeUndefined()
  })
})

describe('deliveries about a repository', () => {
  test('if a repository became private, a delivery makes the service hide it from outsiders at once', async () => {
    const place = aPull(service)
    const { id: articleId } = await articlesOf(service).generated(place, token)
    const repository = host.repositories.at(-1)
    if (!repository) throw new Error('There is no repository.')
    await favorite(token, `${repository.owner}/${repository.name}`)
    expect(await watched(repository.id)).toBeDefined()
    // The last check is only a moment old, so without the delivery the service would not check again for minutes.
    await deliver('repository', { action: 'edited', repository: { id: repository.id } })
    await expect.poll(() => host.callsTo(`/repositories/${repository.id}`)).toBe(1)
    expect((await service.call('getArticleById', { params: { articleId } })).status).toBe(200)
    Object.assign(repository, { private: true, members: ['hanako'] })
    expect((await get(place)).status).toBe(200)
    await deliver('repository', { action: 'privatized', repository: { id: repository.id } })
    await expect.poll(async () => (await get(place)).status).toBe(404)
    expect((await service.call('getArticleById', { params: { articleId } })).status).toBe(404)
    expect((await service.call('getArticle', { params: paramsOf(place) })).status).toBe(404)
    await expect.poll(() => watched(repository.id)).toBeUndefined()
    expect((await get(place, token)).status).toBe(200)
  })

  test('if a favorite repository became public, a delivery makes the service watch it', async () => {
    const repository = repositoryOf(service, 'acme/opened', { private: true, members: ['hanako'] })
    await favorite(token, 'acme/opened')
    expect(await watched(repository.id)).toBeUndefined()
    repository.private = false
    await deliver('public', { repository: { id: repository.id } })
    await expect.poll(() => watched(repository.id)).toBeDefined()
  })

  test('after a delivery, the service asks the code host and does not trust the payload', async () => {
    const { id } = repositoryOf(service, 'acme/steady', { pulls: [{ number: 1 }] })
    await ingested('acme/steady#1', token)
    await deliver('repository', { action: 'privatized', repository: { id, private: true, full_name: 'acme/stolen' } })
    await expect.poll(() => host.callsTo(`/repositories/${id}`)).toBe(1)
    expect((await get('acme/steady#1')).body.data.repositoryFullName).toBe('acme/steady')
  })

  test('a delivery about a repository that the service does not know causes no call to the code host', async () => {
    const { id } = repositoryOf(service, 'acme/never-read')
    const { id: known } = repositoryOf(service, 'acme/read', { pulls: [{ number: 1 }] })
    await ingested('acme/read#1', token)
    for (const each of [id, known]) await deliver('repository', { action: 'renamed', repository: { id: each } })
    await expect.poll(() => host.callsTo(`/repositories/${known}`)).toBe(1)
    expect(host.callsTo(`/repositories/${id}`)).toBe(0)
    const stored = ctx.db.selectFrom('repositories').where('host_repo_id', '=', id).selectAll()
    expect(await stored.execute()).toEqual([])
  })

  test('answers within a second while the host hangs; deliveries during a check share one more check', async () => {
    const repository = repositoryOf(service, 'acme/slow', { pulls: [{ number: 1 }] })
    await ingested('acme/slow#1', token)
    const path = `/repositories/${repository.id}`
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    host.fail({
      path: new RegExp(`^${path}$`),
      act: async (request, response) => {
        await released
        host.answer(request, response)
        // This check has read the repository before it turned private, so only the next check sees the change.
        repository.private = true
      },
    })
    const send = () => deliver('repository', { action: 'edited', repository: { id: repository.id } })
    const started = performance.now()
    expect((await send()).status).toBe(202)
    expect(performance.now() - started).toBeLessThan(1000)
    await expect.poll(() => host.callsTo(path)).toBe(1)
    await Promise.all(Array.from({ length: 10 }, send))
    expect(host.callsTo(path)).toBe(1)
    release()
    await expect.poll(async () => (await get('acme/slow#1')).status).toBe(404)
    expect(host.callsTo(path)).toBe(2)
  })

  test('after a delivery, a repository stays readable if the code host is down', async () => {
    const { id } = repositoryOf(service, 'acme/outage', { pulls: [{ number: 1 }] })
    await ingested('acme/outage#1', token)
    host.fail({ path: new RegExp(`/repositories/${id}`), times: 9, act: faults.status(500) })
    expect((await deliver('repository', { action: 'deleted', repository: { id } })).status).toBe(202)
    await expect.poll(() => service.logged.join('')).toContain(`"hostRepoId":${id}`)
    expect((await get('acme/outage#1')).status).toBe(200)
  })
})

test('of 60 concurrent deliveries, 20 duplicates and 20 forged ones have no effect of their own', async () => {
  const repositories = await Promise.all(
    Array.from({ length: 10 }, (_, i) => watchedRepository(`acme/flood-${i}`, i % 2 === 0 ? HOUR_MS : 0)),
  )
  const untouched = await watchedRepository('acme/untouched', HOUR_MS)
  const kinds = Array.from({ length: 60 }, (_, i) => ['valid', 'duplicate', 'forged'][i % 3])
  const answers = await Promise.all(
    kinds.map((kind, i) => {
      const { id } = repositories[Math.floor(i / 3) % 10] ?? untouched
      if (kind === 'forged') return deliver('pull_request', closed(untouched.id), 'forged')
      return deliver('pull_request', closed(id))
    }),
  )
  for (const [i, { status }] of answers.entries()) expect(status).toBe(kinds[i] === 'forged' ? 401 : 202)
  for (const [i, { id, now }] of repositories.entries()) {
    const due = (await watched(id))?.next_check_at.getTime() ?? 0
    if (i % 2 === 1) expect(due).toBe(now + 10 * SECOND_MS)
    else expect([due >= now, due <= ctx.now().getTime()]).toEqual([true, true])
  }
  expect((await watched(untouched.id))?.next_check_at).toEqual(untouched.next_check_at)
})
