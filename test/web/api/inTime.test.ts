import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { addTimeout } from '../../../src/web/api/inTime.ts'
import { sendError } from '../../../src/web/api/sendErrors.ts'

test('returns 503 for a route that does not answer in time, without affecting other routes', async () => {
  const app = Fastify()
  app.setErrorHandler(sendError)
  app.addHook('onRoute', (route) => addTimeout(route, 0.2))
  app.get('/never', () => new Promise(() => {}))
  app.get('/soon', (_, reply) => reply.send('here'))
  app.get('/wrong', () => {
    throw new Error('no')
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const late = await fetch(`${url}/never`)
  expect(late.status).toBe(503)
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await late.json()).toMatchObject({ success: false, error: { code: 'SERVICE_UNAVAILABLE' } })
  expect(await (await fetch(`${url}/soon`)).text()).toBe('here')
  expect((await fetch(`${url}/wrong`)).status).toBe(500)
  await app.close()
})
