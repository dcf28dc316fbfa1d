import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService({ env: { AUTOMATIC_ARTICLES: 'on', CODE_HOST_TOKEN: 'service-token' } })
afterAll(() => service.close())
service.host.admit('service-token', 'pullpress')
service.host.repository({ id: 1, owner: 'pallets', name: 'flask' })
service.host.repository({ id: 2, owner: 'acme', name: 'vault', private: true, members: ['member'] })

const flask = { owner: 'pallets', repo: 'flask' }

test('sets which merged pull requests a follower wants articles about', async () => {
  const token = await service.signedUp('follower')
  const { body: added } = await service.call('addFavorite', { token, body: flask })
  expect(added.data).toMatchObject({ automaticArticles: 'notable', includesBots: false, watched: true })
  const everything = await service.call('updateFavorite', {
    token,
    params: flask,
    body: { automaticArticles: 'everything', includesBots: true },
  })
  expect([everything.status, everything.body.data]).toEqual([
    200,
    { ...added.data, automaticArticles: 'everything', includesBots: true },
  ])
  const { body: kept } = await service.call('updateFavorite', { token, params: flask, body: { includesBots: false } })
  expect(kept.data).toMatchObject({ automaticArticles: 'everything', includesBots: false })
  const { body: listed } = await service.call('listFavorites', { token })
  expect(listed.data.data).toEqual([kept.data])
})

test('watches a repository as long as at least one follower wants automatic articles about it', async () => {
  const [token, other] = [await service.signedUp('first'), await service.signedUp('second')]
  const { body: added } = await service.call('addFavorite', { token, body: flask })
  await service.call('addFavorite', { token: other, body: flask })
  // Otherwise, the favorite of the first test would keep the repository watched.
  await service.call('removeFavorite', { token: service.host.token('follower'), params: flask })
  const off = { params: flask, body: { automaticArticles: 'off' } }
  expect((await service.call('updateFavorite', { token, ...off })).body.data.watched).toBe(true)
  expect((await service.call('updateFavorite', { token: other, ...off })).body.data.watched).toBe(false)
  const { body: again } = await service.call('updateFavorite', {
    token,
    params: flask,
    body: { automaticArticles: 'notable' },
  })
  expect(again.data).toEqual(added.data)
})

test('does not watch private repositories', async () => {
  const token = await service.signedUp('member')
  const { body } = await service.call('addFavorite', { token, body: { owner: 'acme', repo: 'vault' } })
  expect(body.data).toMatchObject({ automaticArticles: 'notable', watched: false })
})

test('rejects repositories that are not favorites, and bodies without a setting', async () => {
  const token = await service.signedUp('stranger')
  const settings = { automaticArticles: 'off' }
  expect((await service.call('updateFavorite', { token, params: flask, body: settings })).status).toBe(404)
  expect((await service.call('updateFavorite', { token, params: flask, body: {} })).status).toBe(400)
  const unknown = { ...settings, automatic: 'off' }
  expect((await service.call('updateFavorite', { token, params: flask, body: unknown })).status).toBe(400)
})

test('returns watched: false if the service has no code-host token', async () => {
  const other = await startService({ env: { AUTOMATIC_ARTICLES: 'on' } })
  other.host.repository({ id: 1, owner: 'pallets', name: 'flask' })
  const token = await other.signedUp('elsewhere')
  const { body } = await other.call('addFavorite', { token, body: flask })
  expect(body.data).toMatchObject({ automaticArticles: 'notable', watched: false })
  await other.close()
})
