interface Proxy {
  url: string
  close(): Promise<void>
}

/** In the project that asks for it, Prism stands before the service and turns what breaks the contract into errors. */
export async function proxied(upstream: string): Promise<Proxy> {
  if (process.env['TEST_PROXY'] !== 'prism') return { url: upstream, close: async () => {} }
  const { startPrismProxy } = await import('./prismProxy.ts')
  return startPrismProxy(upstream)
}
