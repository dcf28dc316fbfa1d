import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Link = Awaited<ReturnType<typeof openLink>>

/** A TCP proxy to Postgres that can close connections, delay data, or drop it silently. */
export async function openLink(port: number) {
  const pairs = new Set<[Socket, Socket]>()
  const silent = new WeakSet<Socket>()
  let mode: 'open' | 'cut' | 'silent' = 'open'
  let delay = 0
  let sent = 0
  const server = createServer((downstream) => {
    if (mode === 'cut') return void downstream.destroy()
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true })
    const pair: [Socket, Socket] = [downstream, upstream]
    pairs.add(pair)
    if (mode === 'silent') for (const socket of pair) silent.add(socket)
    downstream.on('data', () => {
      sent += 1
    })
    forward(downstream, upstream)
    forward(upstream, downstream)
    for (const socket of pair)
      socket
        .on('error', () => {})
        .on('close', () => {
          pairs.delete(pair)
          downstream.destroy()
          upstream.destroy()
        })
  })

  function forward(from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      if (silent.has(from)) return
      if (delay === 0) return void to.write(chunk)
      setTimeout(() => to.writable && to.write(chunk), delay)
    })
    from.on('end', () => silent.has(from) || to.end())
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Number of data chunks that the nodes sent, about one for each SQL statement. */
    sent: () => sent,
    /** Closes all connections and refuses new ones. */
    cut(): void {
      mode = 'cut'
      for (const [downstream, upstream] of pairs) {
        downstream.destroy()
        upstream.destroy()
      }
    },
    /** Keeps connections open but drops all data, also of new connections, until `restore` is called. */
    silence(): void {
      mode = 'silent'
      for (const socket of [...pairs].flat()) silent.add(socket)
    },
    slow(milliseconds: number): void {
      delay = milliseconds
    },
    restore(): void {
      mode = 'open'
      delay = 0
    },
    close(): void {
      for (const [downstream] of pairs) downstream.destroy()
      server.close()
    },
  }
}
