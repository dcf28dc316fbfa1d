interface Proxy {
  url: string
  close(): Promise<void>
}

/** In the Prism project, a proxy in front of the service turns contract violations into errors. */
export async function proxied(upstream: string): Promise<Proxy> {
  if (process.env['TEST_PROXY'] !== 'prism') return { url: upstream, close: async () => {} }
  const { startPrismProxy } = await import('./prismProxy.ts')
  return startPrismProxy(upstream)
}
