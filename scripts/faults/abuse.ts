import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from './load.ts'
import type { Row } from './table.ts'
import type { World } from './world.ts'

const PER_SECOND = 100
const QUIET_MILLISECONDS = 10_000
const IDLE_SOCKETS = 500
const SLOW_SOCKETS = 100
const ANSWERED_MILLISECONDS = 25_000

/** Everything that people send who mean harm, and how others fare meanwhile. */
export async function abused(world: World): Promise<Row> {
  const node = world.nodes[0]
  const [port, url] = [node?.port ?? 0, node?.url ?? '']
  const token = world.users[0]?.token ?? ''
  const before = await loaded(world, url, () => sleep(QUIET_MILLISECONDS))
  const statuses: Record<string, number> = {}
  const during = await loaded(world, url, async () => {
    const idle = await Promise.all(Array.from({ length: IDLE_SOCKETS }, () => opened(port)))
    const slow = Array.from({ length: SLOW_SOCKETS }, () => trickle(port, token))
    for (const [name, request] of Object.entries(requests(token))) statuses[name] = await statusOf(port, request)
    const [slowest = 0] = (await Promise.all(slow)).toSorted((one, other) => one - other)
    statuses['slow bodies'] = slowest
    for (const socket of idle) socket.destroy()
  })
  const ratio = during.p99 / before.p99
  const isGood = Object.values(statuses).every((status) => status >= 400 && status < 500) && ratio <= 2
  const answers = Object.entries(statuses).map(([name, status]) => `${name} ${status}`)
  const seen = `${answers.join(', ')}; others' p99 ${before.p99.toFixed(0)} ms, then ${during.p99.toFixed(0)} ms`
  const { report } = during
  return { fault: `abuse, ${IDLE_SOCKETS} idle sockets`, load: `${PER_SECOND}/s`, report, seen, isGood }
}

async function loaded(world: World, url: string, work: () => Promise<unknown>) {
  const load = startLoad(world, PER_SECOND, url)
  await work()
  const report = await load.stop()
  const sorted = report.milliseconds.toSorted((one, other) => one - other)
  return { report, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}

function requests(token: string): Record<string, Buffer> {
  const post = (body: Buffer, more = '') =>
    Buffer.concat([
      Buffer.from(
        `POST /users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n`,
      ),
      body,
    ])
  return {
    '2 MiB body': post(Buffer.alloc(2 * 1024 * 1024, ' ')),
    '64 KiB headers': post(Buffer.from('{}'), `X-Filler: ${'x'.repeat(64 * 1024)}\r\n`),
    'own __proto__': post(Buffer.from('{"__proto__":{"admin":true},"owner":"acme","repo":"shop"}')),
    'nested JSON': post(Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
    'invalid UTF-8': post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    'no HTTP': Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'),
  }
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** The status of the answer; 0 where there is none. */
async function statusOf(port: number, request: Buffer): Promise<number> {
  const socket = await opened(port)
  socket.write(request)
  return answerOn(socket)
}

async function answerOn(socket: Socket): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.once('data', (chunk) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 0)))
  socket.once('close', () => resolve(0))
  const patience = setTimeout(() => resolve(0), ANSWERED_MILLISECONDS)
  return promise.finally(() => {
    clearTimeout(patience)
    socket.destroy()
  })
}

/** A body of which a byte comes now and then. */
async function trickle(port: number, token: string): Promise<number> {
  const socket = await opened(port)
  socket.write(
    `POST /users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
  )
  const trickling = setInterval(() => socket.writable && socket.write(' '), 500)
  return answerOn(socket).finally(() => clearInterval(trickling))
}
