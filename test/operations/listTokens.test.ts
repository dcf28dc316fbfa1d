import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const list = async (token: string, query = {}) => (await service.call('listTokens', { token, query })).body.data

test('lists the tokens of the account that were not revoked, the newest first, in pages', async () => {
  const owner = await service.signedUp('hanako')
  const empty = { data: [], pagination: { limit: 10, nextCursor: null } }
  expect(await list(owner)).toEqual(empty)
  const soon = new Date(service.ctx.now().getTime() + 60_000).toISOString()
  const created = []
  for (const expiresAt of [soon, undefined, undefined]) {
    created.unshift(await service.apiToken(owner, ['read'], expiresAt))
    service.advance(1)
  }
  const [revoked, newest, oldest] = created
  await service.call('revokeToken', { token: owner, params: { tokenId: revoked?.id ?? '' } })
  service.advance(61_000)
  const first = await list(owner, { limit: 1 })
  const second = await list(owner, { limit: 1, cursor: first.pagination.nextCursor })
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([newest?.id, oldest?.id])
  expect(second.pagination).toEqual({ limit: 1, nextCursor: null })
  expect(Object.keys(first.data[0]).sort()).toEqual(['createdAt', 'expiresAt', 'id', 'name', 'scopes'])
  expect(await list(await service.signedUp('taro'))).toEqual(empty)
  expect((await service.call('listTokens', { token: owner, query: { cursor: 'none' } })).status).toBe(400)
})
