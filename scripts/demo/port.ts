import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { DemoFailure } from './failure.ts'

const DEFAULT_PORT = 3000

/** The requested port, else the default port, else any free one. */
export async function choosePort(requested: string | undefined, address: string): Promise<number> {
  if (!requested) return (await tryPort(DEFAULT_PORT, address)) ?? (await tryPort(0, address)) ?? DEFAULT_PORT
  if (!/^\d{1,5}$/.test(requested) || Number(requested) > 65_535)
    throw new DemoFailure(`PORT is not a port number: ${requested}`)
  const port = await tryPort(Number(requested), address)
  if (port === undefined) throw new DemoFailure(`Port ${requested} (PORT) is in use or not permitted on ${address}.`)
  return port
}

async function tryPort(wanted: number, address: string): Promise<number | undefined> {
  const server = createServer().listen(wanted, address)
  try {
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch {
    return undefined
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
}
