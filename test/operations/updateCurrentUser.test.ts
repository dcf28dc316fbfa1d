import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('changes the language and updatedAt', async () => {
  const token = await service.signedUp('hanako')
  const { body: before } = await service.call('getCurrentUser', { token })
  service.advance(1000)
  const { status, body } = await service.call('updateCurrentUser', { token, body: { language: 'en' } })
  expect(status).toBe(200)
  expect(body.data).toEqual({ ...before.data, language: 'en', updatedAt: body.data.updatedAt })
  expect(body.data.updatedAt > before.data.updatedAt).toBe(true)
  expect((await service.call('getCurrentUser', { token })).body.data).toEqual(body.data)
})

test.each([[{}], [{ language: 'japanese' }], [{ language: 'en', email: 'me@example.com' }], [[]], ['en']])(
  'rejects the body %j',
  async (body) => {
    const token = service.host.token('fussy')
    await service.call('signUp', { token })
    expect((await service.call('updateCurrentUser', { token, body })).status).toBe(400)
  },
)
