import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config/config.ts'
import { type Finding, messageOf } from './finding.ts'

const ANSWER_TIMEOUT_MS = 10_000

export async function checkAddresses(config: Config): Promise<Finding[]> {
  const { metrics } = config
  return [
    await checkPort('port', config, { variables: 'PORT or ADDRESS', signature: ['/healthz', '"process"'] }),
    ...(metrics
      ? [
          await checkPort('metrics port', metrics, {
            variables: 'METRICS_PORT or METRICS_ADDRESS',
            signature: ['/metrics', 'pullpress_'],
          }),
        ]
      : []),
    checkPublicUrl(config),
  ]
}

interface Expected {
  variables: string
  /** A path, and a part of the response to it that only this service sends. */
  signature: [path: string, part: string]
}

async function checkPort(
  part: string,
  { port, address }: { port: number; address: string },
  { variables, signature }: Expected,
): Promise<Finding> {
  const server = createServer()
  try {
    const { address: host } = await lookup(address)
    await once(server.listen({ port, host }), 'listening')
    return { part, state: 'ok', found: `${address}:${port} is free.` }
  } catch (error) {
    // The service may be running during the check.
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      if (await answers(address, port, signature)) {
        const remedy = `Nothing, if it is the same deployment; otherwise set another ${variables}.`
        return { part, state: 'advice', found: `${address}:${port} is in use by Pullpress.`, remedy }
      }
      const message = `${address}:${port} is in use by another program.`
      return { part, state: 'broken', found: message, remedy: `Stop it, or set another ${variables}.` }
    }
    return { part, state: 'broken', found: messageOf(error), remedy: `Set another ${variables}.` }
  } finally {
    server.close()
  }
}

async function answers(address: string, port: number, [path, part]: Expected['signature']): Promise<boolean> {
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : address
  try {
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    return (await response.text()).includes(part)
  } catch {
    return false
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
