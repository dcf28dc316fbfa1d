import { afterAll, expect, test } from 'vitest'
import { favoritesOf } from '../support/favorites.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const MINUTES = 60_000

const { names, favorite } = favoritesOf(service)

test('favorites of deleted repositories are not listed, and do not count towards the limit of favorites', async () => {
  const token = await service.signedUp('mourner')
  const lost = Array.from({ length: 98 }, (_, i) =>
    service.host.repository({ id: 2000 + i, owner: 'lost', name: `l${i}` }),
  )
  const kept = service.host.repository({
    id: 3000,
    owner: 'kept',
    name: 'private',
    private: true,
    members: ['mourner'],
  })
  const turned = service.host.repository({ id: 3001, owner: 'kept', name: 'turned' })
  await Promise.all([...lost, kept, turned].map(({ owner, name }) => favorite(token, `${owner}/${name}`)))
  for (const repository of lost) service.host.remove(repository)
  turned.private = true
  service.advance(6 * MINUTES)
  await expect.poll(() => names(token, { limit: 100 }), { timeout: 20_000 }).toEqual(['kept/private'])
  const before = service.host.calls.length
  await names(token)
  expect(service.host.calls.length).toBe(before)
  service.host.repository({ id: 3002, owner: 'new', name: 'one' })
  await favorite(token, 'new/one')
})

test('concurrent checks of the same repositories do not block each other', async () => {
  const fleet = Array.from({ length: 20 }, (_, i) => ({ id: 900 - i, owner: 'fleet', name: `r${i}`, private: true }))
  for (const repository of fleet) service.host.repository({ ...repository, members: ['admiral'] })
  const first = await service.signedUp('admiral')
  await Promise.all(fleet.map(({ name }) => favorite(first, `fleet/${name}`)))
  const tokens = [first, ...Array.from({ length: 9 }, () => service.host.token('admiral'))]
  for (let round = 0; round < 3; round++) {
    service.advance(6 * MINUTES)
    await Promise.all(tokens.map((token) => names(token, { limit: 100 })))
    const listed = () => Promise.all(tokens.map((token) => names(token, { limit: 100 }).then((list) => list.length)))
    await expect.poll(listed).toEqual(tokens.map(() => 20))
  }
})
