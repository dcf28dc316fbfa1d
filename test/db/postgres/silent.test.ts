import { afterAll, expect, inject, test } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { startFakeHost } from '../../support/fakeHost.ts'
import { openLink } from '../../support/link.ts'
import { startProcess } from '../../support/process.ts'

const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
const url = new URL(database.env['DATABASE_URL'] ?? '')
const link = await openLink(Number(url.port || 5432))
afterAll(async () => {
  link.close()
  await database.drop()
  await host.close()
})

// A pooler that these tests are run through may know no prepared statements.
const manners = database.env['DATABASE_PREPARE'] === 'off' ? ['off'] : ['on', 'off']

test.each(manners)('connections that fall silent are not used again (prepared statements %s)', async (prepare) => {
  const through = new URL(url)
  through.port = String(link.port)
  const env = { ...database.env, DATABASE_URL: through.href, DATABASE_PREPARE: prepare, CODE_HOST_API_URL: host.url }
  const server = await startProcess(env)
  const headers = { authorization: `Bearer ${host.token(`reader-${prepare}`)}` }
  const ask = async (path: string, method = 'GET') => (await fetch(`${server.url}${path}`, { method, headers })).status
  expect(await ask('/auth/signup', 'POST')).toBe(201)
  const many = () => Promise.all(Array.from({ length: 20 }, () => ask('/users/me')))
  expect(new Set(await many())).toEqual(new Set([200]))

  link.silence()
  expect(new Set(await many())).toEqual(new Set([503]))
  link.mend()
  const mended = performance.now()
  await expect.poll(() => ask('/users/me')).toBe(200)
  expect(performance.now() - mended).toBeLessThan(5000)
  expect(new Set(await many())).toEqual(new Set([200]))
  expect(performance.now() - mended).toBeLessThan(5000)
  expect(await server.kill('SIGTERM')).toBe(0)
})
