import { afterAll, beforeEach, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { resume } from '../../src/domain/administration/resume.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { behaves } from '../support/fakeModel.ts'
import { merged, startWatchingService } from '../support/merges.ts'
import { repositoryOf } from '../support/pulls.ts'

const MINUTES = 60_000
const YEAR_SECONDS = 365 * 24 * 3600
const service = await startWatchingService()
afterAll(() => service.close())
const { host, model, ctx } = service
const { generate } = articlesOf(service)
const token = await service.signedUp('reader')
beforeEach(async () => {
  host.heal()
  model.always(undefined)
  service.advance(2 * 60 * MINUTES)
  await service.poll()
})

/** In how many minutes each pause ends. */
async function pauses(): Promise<Record<string, number>> {
  const { status, body } = await service.call('getReadiness')
  expect(status).toBe(200)
  const minutesTo = (until: string) => Math.round((Date.parse(until) - ctx.now().getTime()) / MINUTES)
  const found: { name: string; until: string }[] = body.data.pauses
  return Object.fromEntries(found.map(({ name, until }) => [name, minutesTo(until)]))
}

const end = () => resume(ctx.db, { at: ctx.now(), by: 'mika', note: null })
const longPauses = [
  ['Retry-After in seconds', { 'retry-after': String(YEAR_SECONDS) }],
  ['Retry-After as a date', { 'retry-after': new Date(Date.now() + YEAR_SECONDS * 1000).toUTCString() }],
] as const

test.each(longPauses)('tries the model again after five minutes even if %s asks to wait a year', async (_, headers) => {
  model.next(behaves.status(429, { ...headers }))
  expect((await generate(aPull(service), token)).body.error.code).toBe('MODEL_UNAVAILABLE')
  expect(await pauses()).toEqual({ model: 5 })
  const requests = await model.during(() => generate(aPull(service), token))
  expect(requests).toEqual([])
  service.advance(5 * MINUTES)
  expect((await generate(aPull(service), token)).status).toBe(200)
  expect(await pauses()).toEqual({})
})

test('calls the model at once after an operator ended its pause', async () => {
  await expect(end()).rejects.toThrow('Nothing is paused.')
  model.next(behaves.status(503, { 'retry-after': '3600' }))
  await generate(aPull(service), token)
  expect(await end()).toMatchObject({ act: 'resume', by: 'mika' })
  expect(await pauses()).toEqual({})
  expect((await generate(aPull(service), token)).status).toBe(200)
})

let last = 0

/** A watched repository with a new merge, whose poller is paused because the code host asked to wait a year. */
async function pausedPoller() {
  last += 1
  const name = `acme/paused-${last}`
  const repository = repositoryOf(service, name, { pulls: [merged(1, 1)] })
  await service.favorite(token, name)
  await service.poll()
  repository.pulls?.push(merged(2, 200))
  const reset = String(Math.floor(ctx.now().getTime() / 1000) + YEAR_SECONDS)
  const act = faults.status(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset })
  host.fail({ path: new RegExp(`^/repositories/${repository.id}/`), act })
  service.advance(7 * 60 * MINUTES)
  await service.poll()
  expect(await pauses()).toEqual({ automaticArticles: 5 })
  expect((await host.during(() => service.poll())).count).toBe(0)
  return { name }
}

test('tries the code host again after five minutes even if it asked to wait a year', async () => {
  const { name } = await pausedPoller()
  service.advance(5 * MINUTES)
  await service.poll()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
  expect(await pauses()).toEqual({})
})

test('calls the code host at once after an operator ended its pause', async () => {
  const { name } = await pausedPoller()
  service.advance(1000)
  await end()
  service.advance(1000)
  await service.poll()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
})

test('after an operator ended a pause, makes a single trial call for all repositories', async () => {
  const paused = [await pausedPoller()]
  for (let i = 0; i < 2; i++) {
    service.advance(5 * MINUTES)
    paused.push(await pausedPoller())
  }
  const act = faults.status(403, { 'retry-after': String(YEAR_SECONDS) })
  host.fail({ path: /./, times: 1e6, act: (request, response) => setImmediate(() => act(request, response)) })
  await ctx.db.updateTable('watched_repositories').set({ next_check_at: ctx.now() }).execute()
  service.advance(1000)
  await end()
  service.advance(1000)
  const calls = await host.during(async () => {
    for (let i = 0; i < 3; i++) await service.poll()
  })
  expect(calls.count).toBe(1)
  host.heal()
  await end()
  service.advance(1000)
  await service.poll()
  await service.settle()
  for (const { name } of paused) expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
})

test('tries a rate-limited token once every five minutes and asks callers to wait an hour at most', async () => {
  const { id } = repositoryOf(service, 'acme/asked', {})
  const at = ctx.now()
  const ask = () => ctx.host.repositoryById({ token: 'limited' }, id).catch((error: Error) => error)
  host.admit('limited', 'limited')
  const path = new RegExp(`^/repositories/${id}$`)
  host.fail({ path, times: 1e6, act: faults.status(429, { 'retry-after': String(YEAR_SECONDS) }) })
  expect(await ask()).toMatchObject({ retryAfter: 3600 })
  const calls = await host.during(async () => {
    while (ctx.now().getTime() - at.getTime() < 30 * MINUTES) {
      service.advance(MINUTES)
      await Promise.all([ask(), ask()])
    }
  })
  expect(calls.to(path)).toBe(6)
  host.heal()
  service.advance(5 * MINUTES)
  expect(await Promise.all([ask(), ask()])).toMatchObject([{ id }, { id }])
})
