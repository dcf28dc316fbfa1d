import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('reports that the process is alive, with its version', async () => {
  const { status, body } = await service.call('getHealth')
  expect(status).toBe(200)
  expect(body.data).toEqual({ ok: true, version: '0.2.0', checks: { process: { state: 'up' } } })
})

test('ignores any token', async () => {
  expect((await service.call('getHealth', { token: 'garbage' })).status).toBe(200)
  expect(service.host.calls).toEqual([])
})
