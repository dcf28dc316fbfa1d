import { expect, test } from 'vitest'
import { startService } from '../../support/service.ts'

test('returns 503 and is not ready, but alive, when the database is gone', async () => {
  const lost = await startService()
  const token = await lost.signedUp('hanako')
  const { db } = lost.ctx
  lost.ctx.db = db.withoutPlugins()
  await lost.ctx.db.destroy()
  const { status, body } = await lost.call('getCurrentUser', { token })
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect((await lost.call('getReadiness')).body.error.details.checks.database).toEqual({ state: 'down' })
  expect((await lost.call('getHealth')).status).toBe(200)
  await lost.abandon()
})
