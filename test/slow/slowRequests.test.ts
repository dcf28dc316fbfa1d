import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const SOCKETS = 50
const TRICKLE_MS = 500

const service = await startService()
afterAll(() => service.close())
const token = await service.signedUp('reader')

test('closes idle connections and slow requests while others are served', async () => {
  const port = Number(new URL(service.url).port)
  const head = `PATCH /users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`
  const statusAfter = async (sent: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(sent)
    const trickling = setInterval(() => sent && socket.writable && socket.write(' '), TRICKLE_MS)
    const received = await text(socket).finally(() => clearInterval(trickling))
    return received.slice(0, 'HTTP/1.1 400'.length)
  }
  const statuses = Promise.all(Array.from({ length: SOCKETS }, (_, i) => statusAfter(i % 2 === 0 ? '' : head)))
  let isOver = false
  void statuses.finally(() => {
    isOver = true
  })
  for (; !isOver; await sleep(100)) {
    const { status } = await service.call('getCurrentUser', { token })
    expect(status).toBe(200)
  }
  expect(new Set(await statuses)).toEqual(new Set(['HTTP/1.1 400']))
})
