import { once } from 'node:events'
import { connect } from 'node:net'

export interface Ask {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  token?: string | undefined
}

export interface Received {
  status: number
  body: Buffer
}

export interface Connection {
  /** Sends a request. Only one may be pending at a time. */
  send(ask: Ask): Promise<Received>
  close(): void
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/** A minimal HTTP client, so that the cores stay free for the measured servers. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let waiting: PromiseWithResolvers<Received> | undefined
  let unread: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    unread = unread.length > 0 ? Buffer.concat([unread, chunk]) : chunk
    const headLength = unread.indexOf(END_OF_HEAD)
    if (headLength === -1) return
    const head = unread.toString('latin1', 0, headLength)
    const start = headLength + END_OF_HEAD.length
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
    if (Number.isNaN(length)) return void waiting?.reject(new Error(`Response without Content-Length: ${head}`))
    if (unread.length < start + length) return
    const received = { status: Number(head.slice(9, 12)), body: unread.subarray(start, start + length) }
    unread = unread.subarray(start + length)
    waiting?.resolve(received)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('The connection was closed.')))
  return {
    send({ method = 'GET', path, token }) {
      waiting = Promise.withResolvers<Received>()
      const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
      const length = method === 'POST' ? 'Content-Length: 0\r\n' : ''
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: bench\r\n${authorization}${length}\r\n`)
      return waiting.promise
    },
    close: () => socket.destroy(),
  }
}
