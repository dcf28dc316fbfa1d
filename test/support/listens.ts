import { connect } from 'node:net'

/** Whether a server accepts connections at this host and port. */
export async function listens(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host, port, timeout: 1000 })
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  socket.once('timeout', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
