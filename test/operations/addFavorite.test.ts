import { afterAll, expect, test } from 'vitest'
import { favoritesOf } from '../support/favorites.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
service.host.repository({ id: 596892, owner: 'pallets', name: 'flask' })

test('the added favorite is also returned by registerFavorite and listFavorites', async () => {
  const token = await service.signedUp('hanako')
  const body = { owner: 'Pallets', repo: 'flask' }
  const added = await service.call('addFavorite', { token, body })
  expect([added.status, added.body.data.repositoryFullName]).toEqual([201, 'pallets/flask'])
  for (const operation of ['addFavorite', 'registerFavorite'] as const) {
    const again = await service.call(operation, { token, body })
    expect([again.status, again.body.data]).toEqual([200, added.body.data])
  }
  expect(await favoritesOf(service).names(token)).toEqual(['pallets/flask'])
})

test('returns the same errors as registerFavorite', async () => {
  const token = await service.signedUp('taro')
  const call = (body: object, caller: string | undefined = token) =>
    service.call('addFavorite', { token: caller, body })
  expect((await call({ owner: 'pallets', repo: 'nothing' })).body.error.code).toBe('HOST_REPO_NOT_FOUND')
  expect((await call({ owner: 'pallets' })).body.error.code).toBe('VALIDATION_ERROR')
  expect((await call({ owner: 'pallets', repo: 'flask' }, 'garbage')).status).toBe(401)
  expect((await call({ owner: 'pallets', repo: 'flask' }, service.host.token('nobody'))).status).toBe(404)
})
