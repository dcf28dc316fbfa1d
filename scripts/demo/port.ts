import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { DemoFailure } from './failure.ts'

const USUAL_PORT = 3000

/** The one that is asked for, else the usual one, else any that is free. */
export async function choosePort(asked: string | undefined, address: string): Promise<number> {
  if (!asked) return (await tryPort(USUAL_PORT, address)) ?? (await tryPort(0, address)) ?? USUAL_PORT
  if (!/^\d{1,5}$/.test(asked) || Number(asked) > 65_535) throw new DemoFailure(`PORT is no port: ${asked}`)
  const port = await tryPort(Number(asked), address)
  if (port === undefined) throw new DemoFailure(`Port ${asked} (PORT) is taken on ${address}, or may not be used.`)
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
