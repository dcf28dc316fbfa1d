import { afterAll, expect, test } from 'vitest'
import { pauseSession } from '../../src/db/accounts/sessions.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { db } = service.ctx

test('a pause of a session is prolonged, but shortened only if a wrong clock set it', async () => {
  await service.signedUp('reader')
  const { id } = await db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
  const now = new Date()
  const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
  const pausedUntil = async (until: Date) => {
    await pauseSession(db, id, until, now)
    return (await db.selectFrom('sessions').select('paused_until').executeTakeFirstOrThrow()).paused_until
  }
  expect(await pausedUntil(later(5))).toEqual(later(5))
  expect(await pausedUntil(later(1))).toEqual(later(5))
  expect(await pausedUntil(later(9))).toEqual(later(9))
  await db
    .updateTable('sessions')
    .set({ paused_until: later(10_000) })
    .execute()
  expect(await pausedUntil(later(1))).toEqual(later(1))
})
