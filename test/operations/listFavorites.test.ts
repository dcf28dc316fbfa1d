import { afterAll, expect, test } from 'vitest'
import { favoritesOf } from '../support/favorites.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const { names, favorite } = favoritesOf(service)

test('pages through favorites, newest first', async () => {
  const token = await service.signedUp('hanako')
  for (let i = 1; i <= 12; i++) {
    service.host.repository({ id: i, owner: 'pages', name: `r${i}` })
    await favorite(token, `pages/r${i}`)
    service.advance(1)
  }
  expect(await names(token)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((i) => `pages/r${i}`))
  expect(await names(token, { offset: 10 })).toEqual(['pages/r2', 'pages/r1'])
  expect(await names(token, { limit: 1, offset: 5 })).toEqual(['pages/r7'])
  const { body } = await service.call('listFavorites', { token, query: { limit: 3, offset: 11 } })
  expect(body.data.pagination).toEqual({ totalItems: 12, limit: 3, offset: 11 })
})

test.each([
  [{ limit: 0 }],
  [{ limit: 101 }],
  [{ limit: 'ten' }],
  [{ offset: -1 }],
  [{ offset: 10001 }],
  [{ limit: '' }],
])('rejects %j', async (query) => {
  const token = service.host.token('fussy')
  await service.call('signUp', { token })
  expect((await service.call('listFavorites', { token, query })).status).toBe(400)
})
