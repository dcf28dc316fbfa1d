import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { openBrowser } from '../support/browser.ts'
import { dump, startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('deletes all data of the account and lets its owner sign up again', async () => {
  const token = await service.signedUp('hanako')
  service.host.repository({ id: 11, owner: 'acme', name: 'shop' })
  await service.call('registerFavorite', { token, body: { owner: 'acme', repo: 'shop' } })
  await service.call('markFavoriteSeen', { token, params: { owner: 'acme', repo: 'shop' } })
  await service.call('saveHostToken', { token, body: { hostAccessToken: token } })
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: service.host.token('hanako') })
  await browser.submit('/read/feed', {})
  const { id: articleId } = await articlesOf(service).generated(aPull(service), token, { language: 'ja' })
  await service.call('likeArticle', { token, params: { articleId, langCode: 'ja' } })
  const description = 'The default is 30 seconds.'
  await service.call('reportMistake', { token, params: { articleId, langCode: 'ja' }, body: { description } })
  const { body: user } = await service.call('getCurrentUser', { token })
  const traces = [user.data.id, description, 'hanako', String(user.data.hostUserId)]
  expect((await service.call('listArticleJobs', { token })).body.data.data).toHaveLength(1)
  const before = await dump(service.ctx)
  for (const trace of traces) expect(before).toContain(trace)
  expect((await service.call('deleteCurrentUser', { token })).status).toBe(204)

  const left = await dump(service.ctx)
  for (const trace of traces) expect(left).not.toContain(trace)
  expect((await service.call('getCurrentUser', { token })).body.error.code).toBe('USER_NOT_FOUND')
  const { status, body: again } = await service.call('signUp', { token })
  expect(status).toBe(201)
  expect(again.id).not.toBe(user.data.id)
  expect((await service.call('listFavorites', { token })).body.data.data).toEqual([])
  expect((await service.call('listArticleJobs', { token })).body.data.data).toEqual([])
})

test('deleting an account does not affect other accounts, even under concurrent requests', async () => {
  const leaver = await service.signedUp('leaver')
  const stayer = await service.signedUp('stayer')
  service.host.repository({ id: 12, owner: 'acme', name: 'till' })
  const favorite = { owner: 'acme', repo: 'till' }
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => service.call('registerFavorite', { token: leaver, body: favorite })),
    ...Array.from({ length: 10 }, () => service.call('registerFavorite', { token: stayer, body: favorite })),
    service.call('deleteCurrentUser', { token: leaver }),
    ...Array.from({ length: 10 }, () =>
      service.call('saveHostToken', { token: leaver, body: { hostAccessToken: leaver } }),
    ),
  ])
  for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status)
  expect((await service.call('listFavorites', { token: stayer })).body.data.pagination.totalItems).toBe(1)
})

test('a request that waits while its account is deleted gets USER_NOT_FOUND, not 401, because the token is still valid', async () => {
  const token = await service.signedUp('waiting')
  const { promise: requested, resolve: markRequested } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  service.host.fail({
    path: /^\/search\/repositories/,
    times: 1,
    act: async (request, response) => {
      markRequested()
      await released
      service.host.answer(request, response)
    },
  })
  const waiting = service.call('searchHostRepositories', { token, query: { q: 'till' } })
  await requested
  expect((await service.call('deleteCurrentUser', { token })).status).toBe(204)
  release()
  const { status, body } = await waiting
  expect([status, body.error?.code]).toEqual([404, 'USER_NOT_FOUND'])
})
