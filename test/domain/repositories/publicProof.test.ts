import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { aPull, articlesOf } from '../../support/articles.ts'
import { startFakeIssuer } from '../../support/fakeIssuer.ts'
import { favoritesOf } from '../../support/favorites.ts'
import { pullsOf, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const MINUTES = 60_000
const issued = 'service-token-0123456789abcdef'
const service = await startService({ env: { CODE_HOST_TOKEN: issued } })
const { host } = service
host.admit(issued, 'service')
afterAll(() => service.close())
afterEach(() => host.heal())

const { ingested, get } = pullsOf(service)
const token = await service.signedUp('hanako')
const isByService = (call: { path: string; authorization: string | undefined }) =>
  call.authorization === `Bearer ${issued}`

test('renews an expired visibility check once for all readers', async () => {
  const { id } = repositoryOf(service, 'acme/open', { pulls: [{ number: 1 }] })
  await ingested('acme/open#1', token)
  service.advance(4 * MINUTES)
  expect(await host.during(() => get('acme/open#1'))).toMatchObject({ count: 0 })
  service.advance(2 * MINUTES)
  const calls = await host.during(async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('acme/open#1')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
  expect(calls.paths).toEqual([`/repositories/${id}`])
  expect(host.calls.filter(isByService)).toHaveLength(1)
  expect(await host.during(() => get('acme/open#1'))).toMatchObject({ count: 0 })
})

test('hides a repository from all but its members once it becomes private', async () => {
  const repository = repositoryOf(service, 'acme/turned', { pulls: [{ number: 1 }] })
  await ingested('acme/turned#1', token)
  Object.assign(repository, { private: true, members: ['hanako'] })
  service.advance(6 * MINUTES)
  expect((await get('acme/turned#1')).body.error.code).toBe('HOST_REPO_NOT_FOUND')
  expect((await get('acme/turned#1', token)).status).toBe(200)
  const other = await service.signedUp('jiro')
  expect((await get('acme/turned#1', other)).status).toBe(404)
})

test('visibility checks hide a deleted repository and find the new name of a renamed one', async () => {
  const gone = repositoryOf(service, 'acme/gone', { pulls: [{ number: 1 }] })
  const renamed = repositoryOf(service, 'acme/former', { pulls: [{ number: 1 }] })
  await ingested('acme/gone#1', token)
  await ingested('acme/former#1', token)
  host.remove(gone)
  renamed.name = 'present'
  service.advance(6 * MINUTES)
  expect((await get('acme/gone#1')).status).toBe(404)
  await get('acme/former#1')
  expect((await get('acme/present#1')).body.data.repositoryFullName).toBe('acme/present')
})

test('while the host hangs, a repository stays readable and visibility checks pause', async () => {
  repositoryOf(service, 'acme/spared', { pulls: [{ number: 1 }] })
  await ingested('acme/spared#1', token)
  service.advance(6 * MINUTES)
  host.fail({ path: /./, times: 100, act: faults.hang })
  const started = performance.now()
  expect((await get('acme/spared#1')).status).toBe(200)
  expect(performance.now() - started).toBeLessThan(4000)
  expect(await host.during(() => get('acme/spared#1'))).toMatchObject({ count: 0 })
})

test('checks visibility anonymously after an hour if the service has no token', async () => {
  const tokenless = await startService()
  const reading = pullsOf(tokenless)
  const { id } = repositoryOf(tokenless, 'acme/hourly', { pulls: [{ number: 1 }] })
  await reading.ingested('acme/hourly#1', await tokenless.signedUp('hanako'))
  tokenless.advance(59 * MINUTES)
  expect(await tokenless.host.during(() => reading.get('acme/hourly#1'))).toMatchObject({ count: 0 })
  tokenless.advance(2 * MINUTES)
  const calls = await tokenless.host.during(() => reading.get('acme/hourly#1'))
  expect(calls.paths).toEqual([`/repositories/${id}`])
  expect(tokenless.host.calls.at(-1)?.authorization).toBeUndefined()
  await tokenless.close()
})

test('checks the visibility of favorites with the service token if the saved token of the account is invalid', async () => {
  const issuer = await startFakeIssuer()
  const withJwt = await startService({ issuer, env: { CODE_HOST_TOKEN: issued } })
  withJwt.host.admit(issued, 'service')
  const bearer = await issuer.token({ sub: 'hanako' })
  const saved = withJwt.host.token('hanako')
  await withJwt.call('signUp', { token: bearer, body: { hostAccessToken: saved } })
  const { favorite, names } = favoritesOf(withJwt)
  const repository = repositoryOf(withJwt, 'acme/followed')
  await favorite(bearer, 'acme/followed')
  withJwt.host.revoke(saved)
  repository.private = true
  withJwt.advance(6 * MINUTES)
  await expect.poll(() => names(bearer)).toEqual([])
  await withJwt.close()
  await issuer.close()
})

test('checks the visibility of repositories even if only the sitemap lists them', async () => {
  const place = aPull(service)
  const { id } = await articlesOf(service).generated(place, token)
  const sitemap = async () => (await fetch(`${service.url}/sitemap.xml`)).text()
  expect(await sitemap()).toContain(id)
  Object.assign(host.repositories.at(-1) ?? {}, { private: true })
  service.advance(6 * MINUTES)
  await expect.poll(sitemap).not.toContain(id)
})
