import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Link = Awaited<ReturnType<typeof openLink>>

/** A wire between the nodes and Postgres that can be cut, slowed down, or left open with nothing going through. */
export async function openLink(port: number) {
  const pairs = new Set<[Socket, Socket]>()
  const silent = new WeakSet<Socket>()
  let manner: 'whole' | 'cut' | 'silent' = 'whole'
  let delay = 0
  let sent = 0
  const server = createServer((near) => {
    if (manner === 'cut') return void near.destroy()
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    if (manner === 'silent') for (const socket of pair) silent.add(socket)
    near.on('data', () => {
      sent += 1
    })
    join(near, far)
    join(far, near)
    for (const socket of pair)
      socket
        .on('error', () => {})
        .on('close', () => {
          pairs.delete(pair)
          near.destroy()
          far.destroy()
        })
  })

  function join(from: Socket, to: Socket): void {
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
    /** How many messages the nodes have sent, about one for each statement. */
    sent: () => sent,
    /** Ends every connection, and takes no other. */
    cut(): void {
      manner = 'cut'
      for (const [near, far] of pairs) {
        near.destroy()
        far.destroy()
      }
    },
    /** Every connection stays, and nothing is ever heard on it again; nor on new ones until it is mended. */
    silence(): void {
      manner = 'silent'
      for (const socket of [...pairs].flat()) silent.add(socket)
    },
    slow(milliseconds: number): void {
      delay = milliseconds
    },
    mend(): void {
      manner = 'whole'
      delay = 0
    },
    close(): void {
      for (const [near] of pairs) near.destroy()
      server.close()
    },
  }
}
