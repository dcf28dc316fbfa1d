import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config/config.ts'
import { type Finding, messageOf } from './finding.ts'

export async function checkAddresses(config: Config): Promise<Finding[]> {
  return [
    await checkPort('port', config.port, config.address, 'PORT or ADDRESS'),
    ...(config.metrics
      ? [
          await checkPort(
            'metrics port',
            config.metrics.port,
            config.metrics.address,
            'METRICS_PORT or METRICS_ADDRESS',
          ),
        ]
      : []),
    checkPublicUrl(config),
  ]
}

async function checkPort(part: string, port: number, address: string, variables: string): Promise<Finding> {
  const server = createServer()
  try {
    const { address: host } = await lookup(address)
    await once(server.listen({ port, host }), 'listening')
    return { part, state: 'ok', found: `${address}:${port} is free.` }
  } catch (error) {
    // The check may run beside the service.
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      const remedy = `Nothing, if it is this service; otherwise set another ${variables}.`
      return { part, state: 'advice', found: `${address}:${port} is in use.`, remedy }
    }
    return { part, state: 'broken', found: messageOf(error), remedy: `Set another ${variables}.` }
  } finally {
    server.close()
  }
}

function checkPublicUrl({ publicUrl, trustedProxies, address }: Config): Finding {
  const part = 'public URL'
  if (!publicUrl) {
    const remedy = 'Set PUBLIC_URL to the address that readers use.'
    return { part, state: 'advice', found: 'Unset: links are made of the Host header of each request.', remedy }
  }
  if (publicUrl.protocol === 'https:' && trustedProxies.length === 0) {
    const remedy = 'Set TRUSTED_PROXIES to the addresses of the proxy that terminates TLS.'
    return { part, state: 'advice', found: 'All readers share the rate limits of one address, the proxy.', remedy }
  }
  const isPublic = address !== '127.0.0.1' && address !== 'localhost'
  if (publicUrl.protocol === 'http:' && isPublic) {
    const remedy = 'Put a proxy with TLS in front, and set PUBLIC_URL to its https address.'
    return { part, state: 'advice', found: 'Sessions and tokens are sent without encryption.', remedy }
  }
  return { part, state: 'ok', found: publicUrl.origin }
}
