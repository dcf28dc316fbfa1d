import { afterAll, expect, test } from 'vitest'
import { articlesOf } from '../support/articles.ts'
import { favoritesOf } from '../support/favorites.ts'
import { changed, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { favorite } = favoritesOf(service)
const { generated } = articlesOf(service)
const pulls = [1, 2].map((number) => ({ number, files: [changed('a.ts')] }))

const mark = (token: string, owner: string, repo: string, query = {}) =>
  service.call('markFavoriteSeen', { token, params: { owner, repo }, query })
const listed = async (token: string) => (await service.call('listFavorites', { token })).body.data.data

test('marks the favorite as seen for this user only, so that only later articles count as unread', async () => {
  repositoryOf(service, 'acme/news', { pulls })
  const token = await service.signedUp('reader')
  const other = await service.signedUp('other')
  for (const each of [token, other]) await favorite(each, 'acme/news')
  service.advance(1)
  await generated('acme/news#1', token)
  expect(await listed(token)).toMatchObject([{ unreadCount: 1 }])
  service.advance(1)
  const { status, body } = await mark(token, 'ACME', 'News')
  expect([status, body.data.unreadCount]).toEqual([200, 0])
  expect(body.data.seenAt > body.data.registeredAt).toBe(true)
  expect(await listed(token)).toEqual([body.data])
  expect(await listed(other)).toMatchObject([{ unreadCount: 1 }])
  service.advance(1)
  await generated('acme/news#2', other)
  expect(await listed(token)).toMatchObject([{ unreadCount: 1, seenAt: body.data.seenAt }])
  const again = await service.call('registerFavorite', { token, body: { owner: 'acme', repo: 'news' } })
  expect([again.status, again.body.data]).toEqual([200, (await listed(token))[0]])
})

test('finds a renamed repository by its new name', async () => {
  const repository = repositoryOf(service, 'acme/before')
  const token = await service.signedUp('archivist')
  await favorite(token, 'acme/before')
  repository.name = 'after'
  const { status, body } = await mark(token, 'acme', 'after')
  expect([status, body.data.repo]).toEqual([200, 'after'])
})

test('an invisible and a missing favorite cause the same error and the same number of host calls', async () => {
  const vault = repositoryOf(service, 'acme/vault', { private: true, members: ['member'] })
  const token = await service.signedUp('member')
  await favorite(token, 'acme/vault')
  vault.members = []
  service.advance(6 * 60_000)
  const cost = async (repo: string) => {
    const before = service.host.calls.length
    const { status, body } = await mark(token, 'acme', repo)
    return { status, code: body.error.code, message: body.message, calls: service.host.calls.length - before }
  }
  const hidden = await cost('vault')
  expect(hidden).toEqual(await cost('never'))
  expect(hidden).toMatchObject({ status: 404, code: 'NOT_FOUND', calls: 1 })
})

test('rejects unknown parameters and invalid names', async () => {
  const token = await service.signedUp('fussy')
  expect((await mark(token, 'acme', 'news', { at: '2026' })).status).toBe(400)
  expect((await mark(token, 'acme', '...')).status).toBe(400)
})
