import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { favoritesOf } from '../../support/favorites.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())

const MINUTES = 60_000

const { names, favorite } = favoritesOf(service)

test('does not call the host while visibility checks are fresh', async () => {
  const token = await service.signedUp('thrifty')
  service.host.repository({ id: 100, owner: 'fresh', name: 'one' })
  await favorite(token, 'fresh/one')
  const before = service.host.calls.length
  for (let i = 0; i < 5; i++) expect(await names(token)).toEqual(['fresh/one'])
  expect(service.host.calls.length).toBe(before)
  service.advance(6 * MINUTES)
  expect(await names(token)).toEqual(['fresh/one'])
  expect(service.host.callsTo('/repositories/100')).toBe(1)
})

test('shows a private repository only to sessions to which the host grants access', async () => {
  const vault = service.host.repository({ id: 200, owner: 'acme', name: 'vault', private: true, members: ['member'] })
  const token = await service.signedUp('member')
  await favorite(token, 'acme/vault')
  expect(await names(token)).toEqual(['acme/vault'])

  const weak = service.host.token('member')
  service.host.fail({ path: /repositories\/200/, times: 1, act: faults.status(404) })
  expect(await names(weak)).toEqual([])
  expect(await names(token)).toEqual(['acme/vault'])
  expect((await service.call('listFavorites', { token: weak })).body.data.pagination.totalItems).toBe(0)

  vault.members = []
  service.advance(6 * MINUTES)
  expect(await names(token)).toEqual([])
  vault.members = ['member']
  service.advance(6 * MINUTES)
  expect(await names(token)).toEqual(['acme/vault'])
  expect(await names(weak)).toEqual(['acme/vault'])
})

test('while the host is down, hides private repositories and shows public ones', async () => {
  service.host.repository({ id: 300, owner: 'down', name: 'public' })
  service.host.repository({ id: 301, owner: 'down', name: 'private', private: true, members: ['patient'] })
  const token = await service.signedUp('patient')
  await favorite(token, 'down/public')
  await favorite(token, 'down/private')
  service.advance(6 * MINUTES)
  service.host.fail({ path: /./, times: 1000, act: faults.status(500) })
  expect(await names(token)).toEqual(['down/public'])
})

test('waits at most two seconds for a hanging host', async () => {
  service.host.repository({ id: 400, owner: 'slow', name: 'public' })
  const token = await service.signedUp('hurried')
  await favorite(token, 'slow/public')
  service.advance(6 * MINUTES)
  service.host.fail({ path: /repositories\/400/, times: 10, act: faults.hang })
  const started = performance.now()
  expect(await names(token)).toEqual(['slow/public'])
  const waited = performance.now() - started
  expect(waited).toBeGreaterThan(1900)
  expect(waited).toBeLessThan(4000)
})

test('a late response of the host counts for the next request', async () => {
  service.host.repository({ id: 450, owner: 'late', name: 'private', private: true, members: ['unhurried'] })
  const token = await service.signedUp('unhurried')
  await favorite(token, 'late/private')
  service.advance(6 * MINUTES)
  const late = { status: 200, body: { id: 450, name: 'private', private: true, owner: { login: 'late' } } }
  const act: (typeof faults)['cutJson'] = (_, response) =>
    void setTimeout(() => faults.status(late.status, {}, late.body as never)(_, response), 2500)
  service.host.fail({ path: /repositories\/450/, times: 10, act })
  expect(await names(token)).toEqual([])
  await expect.poll(() => names(token)).toEqual(['late/private'])
  expect(service.host.callsTo('/repositories/450')).toBe(1)
})

test('a late response does not override a newer one', async () => {
  const repository = service.host.repository({ id: 470, owner: 'late', name: 'news' })
  const slow = await service.signedUp('slow')
  const member = await service.signedUp('insider')
  await favorite(slow, 'late/news')
  await favorite(member, 'late/news')
  service.advance(6 * MINUTES)
  const stale = { id: 470, name: 'news', private: false, owner: { login: 'late' } }
  const act: (typeof faults)['cutJson'] = (request, response) =>
    void setTimeout(() => faults.status(200, {}, stale as never)(request, response), 2500)
  service.host.fail({ path: /repositories\/470/, times: 1, act })
  const listing = names(slow)
  await expect.poll(() => service.host.callsTo('/repositories/470')).toBe(1)
  repository.private = true
  repository.members = ['insider']
  service.advance(10)
  expect(await names(member)).toEqual(['late/news'])
  await listing
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(await names(slow)).toEqual([])
})

test('failing checks of some repositories do not block the checks of others', async () => {
  const token = await service.signedUp('unlucky')
  for (let i = 0; i < 25; i++) {
    service.host.repository({ id: 4000 + i, owner: 'half', name: `h${i}`, private: true, members: ['unlucky'] })
    await favorite(token, `half/h${i}`)
  }
  service.advance(6 * MINUTES)
  service.host.fail({ path: /repositories\/40(0\d|1\d)$/, times: 10_000, act: faults.status(500) })
  await expect.poll(() => names(token, { limit: 100 }), { timeout: 20_000 }).toHaveLength(5)
})

test('rejects a bearer token immediately if the host rejects it while favorites are listed', async () => {
  service.host.repository({ id: 480, owner: 'open', name: 'shop' })
  const token = await service.signedUp('ousted')
  await favorite(token, 'open/shop')
  service.advance(6 * MINUTES)
  service.host.revoke(token)
  expect((await service.call('listFavorites', { token })).status).toBe(401)
})

test('if the host denies a repository to one token, users with other tokens still see it', async () => {
  service.host.repository({ id: 460, owner: 'open', name: 'house' })
  const barred = await service.signedUp('barred')
  const other = await service.signedUp('welcome')
  await favorite(barred, 'open/house')
  await favorite(other, 'open/house')
  service.advance(6 * MINUTES)
  service.host.fail({ path: /repositories\/460/, times: 1, act: faults.status(404) })
  expect(await names(barred)).toEqual([])
  service.host.fail({ path: /./, times: 100, act: faults.status(500) })
  expect(await names(other)).toEqual(['open/house'])
  service.host.heal()
  expect(await names(other)).toEqual(['open/house'])
  expect(await names(barred)).toEqual(['open/house'])
})

test('lists favorites without repositories that became private or were deleted, and renamed ones by their new name', async () => {
  const turned = service.host.repository({ id: 500, owner: 'was', name: 'public' })
  const gone = service.host.repository({ id: 501, owner: 'was', name: 'there' })
  const renamed = service.host.repository({ id: 502, owner: 'was', name: 'called' })
  const token = await service.signedUp('follower')
  for (const { owner, name } of [turned, gone, renamed]) {
    await favorite(token, `${owner}/${name}`)
    service.advance(1)
  }
  turned.private = true
  service.host.remove(gone)
  renamed.name = 'named'
  service.advance(6 * MINUTES)
  expect(await names(token)).toEqual(['was/named'])
})

test('renews at most twenty visibility checks per request', async () => {
  const token = await service.signedUp('hoarder')
  for (let i = 0; i < 25; i++) {
    service.host.repository({ id: 600 + i, owner: 'many', name: `p${i}`, private: true, members: ['hoarder'] })
    await favorite(token, `many/p${i}`)
  }
  expect(await names(token, { limit: 100 })).toHaveLength(25)
  service.advance(6 * MINUTES)
  const calls = await service.host.during(async () => {
    expect(await names(token, { limit: 100 })).toHaveLength(20)
  })
  expect(calls.to(/^\/repositories\/\d+$/)).toBe(20)
  expect(await names(token, { limit: 100 })).toHaveLength(25)
})
