import { expect, test } from 'vitest'
import { startService } from '../../support/service.ts'

test('when the database is gone, requests get 503 and the node reports that it is alive but not ready', async () => {
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
