import { afterAll, expect, test } from 'vitest'
import { startService } from '../../support/service.ts'

const service = await startService()
const { host, database } = service
const another = await startService({ beside: { host, database } })
afterAll(async () => {
  await another.close()
  await service.close()
})

test('a token logged out on one node is refused on the other', async () => {
  const token = await service.signedUp('roamer')
  expect((await another.call('getCurrentUser', { token })).status).toBe(200)
  await service.call('logOut', { token })
  expect((await another.call('getCurrentUser', { token })).status).toBe(401)
})

test('two nodes at once make one account and one favorite', async () => {
  host.repository({ id: 1, owner: 'acme', name: 'shop' })
  const token = host.token('everywhere')
  const both = [service, another]
  const signUps = await Promise.all(Array.from({ length: 40 }, (_, i) => both[i % 2]?.call('signUp', { token })))
  expect(signUps.filter((answer) => answer?.status === 201)).toHaveLength(1)
  expect(signUps.filter((answer) => answer?.status === 409)).toHaveLength(39)
  const body = { owner: 'acme', repo: 'shop' }
  const favorites = await Promise.all(
    Array.from({ length: 40 }, (_, i) => both[i % 2]?.call('registerFavorite', { token, body })),
  )
  expect(favorites.filter((answer) => answer?.status === 201)).toHaveLength(1)
  expect(new Set(favorites.map((answer) => answer?.body.data.id)).size).toBe(1)
})
