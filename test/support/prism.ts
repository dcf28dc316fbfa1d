import { sep } from 'node:path'
import { expect } from 'vitest'

interface Proxy {
  url: string
  close(): Promise<void>
}

/**
 * Puts Prism, a proxy that turns contract violations into errors, in front of the service for tests in the folder that
 * TEST_BEHIND_PRISM names.
 */
export async function proxied(upstream: string): Promise<Proxy> {
  const folder = process.env['TEST_BEHIND_PRISM']
  if (!folder || !expect.getState().testPath?.includes(`${sep}${folder}${sep}`))
    return { url: upstream, close: async () => {} }
  const { startPrismProxy } = await import('./prismProxy.ts')
  return startPrismProxy(upstream)
}
