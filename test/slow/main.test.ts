import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { createTestDatabase } from '../support/database.ts'
import { startProcess } from '../support/process.ts'

const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
const env = { ...database.env, CODE_HOST_API_URL: host.url }
afterAll(async () => {
  await database.drop()
  await host.close()
})

test('starts without a warning', async () => {
  const server = await startProcess(env)
  const lines = server.output().trim().split('\n')
  expect(lines.filter((line) => JSON.parse(line).level > 30)).toEqual([])
  await server.kill('SIGTERM')
})

test('says which version of Node it needs if it runs on an older one', async () => {
  const older = "Object.defineProperty(process,'versions',{value:{node:'20.1.0'}})"
  const server = await startProcess({ NODE_OPTIONS: `--import=data:text/javascript,${older}` }, { expectExit: true })
  expect(server.exitCode).toBe(1)
  expect(server.output()).toMatch(/^Pullpress needs Node 24; this is 20\.1\.0 \(.*\)\..*\n$/)
})

test('SIGTERM finishes active requests, refuses new ones, and exits with 0', async () => {
  const server = await startProcess(env)
  host.fail({
    path: /^\/user$/,
    times: 1,
    act: (_, response) => void setTimeout(() => response.writeHead(401).end('{}'), 1000),
  })
  const agent = new Agent({ keepAlive: true })
  const unused = connect(server.port, '127.0.0.1').on('error', () => {})
  await once(unused, 'connect')
  const idle = get(`${server.url}/healthz`, { agent })
  await once(idle, 'response')
  const slow = fetch(`${server.url}/users/me`, { headers: { authorization: 'Bearer slow' } })
  await expect.poll(() => host.callsTo('/user')).toBe(1)
  const started = performance.now()
  server.signal('SIGTERM')
  await sleep(200)
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  expect((await slow).status).toBe(401)
  const [exitCode] = await server.exited
  expect(exitCode).toBe(0)
  expect(performance.now() - started).toBeLessThan(8000)
  agent.destroy()
})

test('after SIGTERM, answers one more request on a keep-alive connection before it closes the connection', async () => {
  const server = await startProcess(env)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async () => {
    const request = get(`${server.url}/healthz`, { agent })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    await once(answer.resume(), 'end')
    return { isReused: request.reusedSocket, connection: answer.headers.connection }
  }
  await ask()
  server.signal('SIGTERM')
  await expect.poll(server.output, { interval: 5 }).toContain('"Shutting down."')
  await sleep(50)
  expect(await ask()).toEqual({ isReused: true, connection: 'close' })
  const [exitCode] = await server.exited
  expect(exitCode).toBe(0)
})

test('while draining, /readyz returns 503 and all other requests are answered', async () => {
  const server = await startProcess({ ...env, DRAIN_SECONDS: '2' })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  server.signal('SIGTERM')
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${server.url}/ranking/articles/likes`)).status).toBe(200)
  const [exitCode] = await server.exited
  expect(exitCode).toBe(0)
})

test('SIGTERM ends the process within ten seconds even when a request hangs', async () => {
  const server = await startProcess(env)
  host.fail({ path: /^\/user$/, times: 9, act: faults.hang })
  const hanging = fetch(`${server.url}/users/me`, { headers: { authorization: 'Bearer hanging' } }).catch(
    () => 'cut off',
  )
  await expect.poll(() => host.callsTo('/user')).toBeGreaterThan(1)
  const started = performance.now()
  expect(await server.kill('SIGTERM')).toBe(0)
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(await hanging).toMatchObject({ status: 502 })
  host.heal()
})

test.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
] as const)('%s followed at once by %s lets active requests finish', async (first, second) => {
  const server = await startProcess(env)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  host.fail({ path: /^\/user$/, act: (_, response) => void released.then(() => response.writeHead(401).end('{}')) })
  const before = host.callsTo('/user')
  const slow = fetch(`${server.url}/users/me`, { headers: { authorization: 'Bearer slow' } }).catch(() => 'cut off')
  await expect.poll(() => host.callsTo('/user')).toBe(before + 1)
  server.signal(first)
  await expect.poll(server.output, { interval: 5 }).toContain('"Shutting down."')
  server.signal(second)
  // In this time, a process that exits at once would have ended.
  await sleep(300)
  release()
  expect(await slow).toMatchObject({ status: 401 })
  expect((await server.exited)[0]).toBe(0)
})

test('a second signal more than two seconds later ends the process at once', async () => {
  const server = await startProcess(env)
  host.fail({ path: /^\/user$/, times: 9, act: faults.hang })
  const before = host.callsTo('/user')
  const hanging = fetch(`${server.url}/users/me`, { headers: { authorization: 'Bearer hanging' } }).catch(
    () => 'cut off',
  )
  await expect.poll(() => host.callsTo('/user')).toBeGreaterThan(before)
  server.signal('SIGTERM')
  await expect.poll(server.output, { interval: 5 }).toContain('"Shutting down."')
  await sleep(2100)
  const secondAt = performance.now()
  expect(await server.kill('SIGTERM')).toBe(1)
  expect(performance.now() - secondAt).toBeLessThan(2000)
  expect(await hanging).toBe('cut off')
  host.heal()
})

test.each([
  ['an uncaught exception', "throw(new(Error)('lost'))"],
  ['an unhandled rejection', "Promise.reject(new(Error)('lost'))"],
])('%s ends the process with a fatal log line', async (_, fault) => {
  const onSignal = `process.on('SIGWINCH',()=>{${fault}})`
  const server = await startProcess({ ...env, NODE_OPTIONS: `--import=data:text/javascript,${onSignal}` })
  expect(await server.kill('SIGWINCH')).toBe(1)
  const fatal = server
    .output()
    .split('\n')
    .find((line) => line.includes('"level":60'))
  expect(JSON.parse(fatal ?? '{}')).toMatchObject({ err: { message: 'lost' } })
})

test('SIGTERM ends the process even while a client sends a body slowly', async () => {
  const server = await startProcess(env)
  const socket = connect(server.port, '127.0.0.1').on('error', () => {})
  const head = ['POST /users/me HTTP/1.1', 'Host: x', 'Authorization: Bearer slow', 'Content-Length: 1000']
  socket.write(`${head.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n`)
  const trickling = setInterval(() => socket.write(' '), 200)
  await sleep(500)
  const started = performance.now()
  expect(await server.kill('SIGTERM')).toBe(0)
  expect(performance.now() - started).toBeLessThan(10_000)
  clearInterval(trickling)
})

test('names each invalid variable without its value, and exits', async () => {
  const server = await startProcess(
    { PORT: 'eighty', DATABASE_URL: 'mysql://user:sesame@db', TOKEN_ENCRYPTION_KEY: 'sesame', LOG_LEVEL: 'loud' },
    { expectExit: true },
  )
  expect(server.exitCode).toBe(1)
  for (const name of ['PORT', 'DATABASE_URL', 'TOKEN_ENCRYPTION_KEY', 'LOG_LEVEL'])
    expect(server.output()).toContain(name)
  expect(server.output()).not.toContain('sesame')
})

test('reports an unreachable database without the password', async () => {
  const url = 'postgres://user:sesame@127.0.0.1:9/none'
  const key = Buffer.alloc(32).toString('base64')
  const server = await startProcess({ DATABASE_URL: url, TOKEN_ENCRYPTION_KEY: key }, { expectExit: true })
  expect(server.exitCode).toBe(1)
  expect(server.output()).toMatch(/^Cannot start, see DATABASE_URL: .*ECONNREFUSED.*\n$/)
})

test('reports a port in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const server = await startProcess({ ...env, PORT: String(port) }, { expectExit: true })
  expect(server.output()).toContain('Cannot start, see PORT and ADDRESS: listen EADDRINUSE')
  taken.close()
})
