import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('lists the sessions of the account, active ones first, and marks the current one', async () => {
  const first = await service.signedUp('hanako')
  const second = service.host.token('hanako')
  const third = service.host.token('hanako')
  const { body: user } = await service.call('getCurrentUser', { token: second })
  await service.call('getCurrentUser', { token: third })
  await service.call('logOut', { token: third })
  await service.signedUp('somebody-else')
  const { status, body } = await service.call('listSessions', { token: first })
  expect(status).toBe(200)
  expect(body.data).toHaveLength(3)
  expect(body.data.map((session: { current: boolean }) => session.current)).toEqual([true, false, false])
  expect(body.data.map((session: { revokedAt: string | null }) => session.revokedAt !== null)).toEqual([
    false,
    false,
    true,
  ])
  for (const session of body.data) {
    expect(session).toMatchObject({ userId: user.data.id, expiresAt: null })
    expect(Object.keys(session).sort()).toEqual(['createdAt', 'current', 'expiresAt', 'id', 'revokedAt', 'userId'])
  }
})

test('returns at most 100 sessions, active ones first', async () => {
  const token = await service.signedUp('busy')
  const others = Array.from({ length: 104 }, () => service.host.token('busy'))
  for (const other of others) expect((await service.call('getCurrentUser', { token: other })).status).toBe(200)
  for (const other of others.slice(0, 50)) expect((await service.call('logOut', { token: other })).status).toBe(200)
  const { body } = await service.call('listSessions', { token, query: { limit: 100 } })
  expect(body.pagination).toEqual({ limit: 100, nextCursor: null })
  const ended = body.data.map((session: { revokedAt: string | null }) => session.revokedAt !== null)
  expect(ended).toEqual([...Array(55).fill(false), ...Array(45).fill(true)])
})
