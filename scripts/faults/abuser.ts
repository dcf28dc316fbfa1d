import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** The statuses of each kind of request; 0 means no response. */
export type Answers = Record<string, number[]>

export interface Abuse {
  port: number
  token: string
  idleSockets: number
  slowSockets: number
}

const SOCKET_TIMEOUT_MS = 25_000
const CLOSING_MS = 5000
const PAUSE_MS = 100

/** Runs in a separate thread, to keep the event loop of the measuring thread free. */
const { port, token, idleSockets, slowSockets } = workerData as Abuse
const answers: Answers = {}
const note = (name: string, statuses: number[]) => {
  answers[name] = [...new Set([...(answers[name] ?? []), ...statuses])]
}
const hostile = requests()
if (!parentPort) throw new Error('This file must run as a worker thread.')
parentPort.postMessage('ready')
await once(parentPort, 'message')
const idle = Array.from({ length: idleSockets }, async () => answerOn(await opened()))
const slow = Array.from({ length: slowSockets }, trickle)
let isOver = false
const socketsDone = Promise.all([
  Promise.all(idle).then((statuses) => note('idle', statuses)),
  Promise.all(slow).then((statuses) => note('slow bodies', statuses)),
]).finally(() => {
  isOver = true
})
while (!isOver) {
  for (const [name, request] of Object.entries(hostile)) note(name, [await statusOf(request)])
  await sleep(PAUSE_MS)
}
await socketsDone
parentPort.postMessage(answers)

function requests(): Record<string, Buffer> {
  const post = (body: Buffer, more = '') => Buffer.concat([Buffer.from(head(body.length, more)), body])
  return {
    '2 MiB body': post(Buffer.alloc(2 * 1024 * 1024, ' ')),
    '64 KiB headers': post(Buffer.from('{}'), `X-Filler: ${'x'.repeat(64 * 1024)}\r\n`),
    'own __proto__': post(Buffer.from('{"__proto__":{"admin":true},"owner":"acme","repo":"shop"}')),
    'nested JSON': post(Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
    'invalid UTF-8': post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    'not HTTP': Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'),
  }
}

function head(length: number, more = ''): string {
  const lines = [`Authorization: Bearer ${token}`, 'Content-Type: application/json', `Content-Length: ${length}`]
  return `POST /users/me HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n${more}\r\n`
}

async function opened(allowHalfOpen = false): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen }).on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function statusOf(request: Buffer): Promise<number> {
  const socket = await opened()
  socket.write(request)
  return answerOn(socket)
}

async function answerOn(socket: Socket, done = () => void socket.destroy()): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.once('data', (chunk) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 0)))
  socket.once('close', () => resolve(0))
  const timer = setTimeout(() => resolve(0), SOCKET_TIMEOUT_MS)
  return promise.finally(() => {
    clearTimeout(timer)
    done()
  })
}

/** Sends a body byte by byte, also after a response; the response counts only once the connection is closed. */
async function trickle(): Promise<number> {
  const socket = await opened(true)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(head(1000))
  const trickling = setInterval(() => socket.writable && socket.write(' '), 500)
  const status = await answerOn(socket, () => {})
  const isClosed = await Promise.race([closed.then(() => true), sleep(CLOSING_MS, false)])
  clearInterval(trickling)
  socket.destroy()
  return isClosed ? status : 0
}
