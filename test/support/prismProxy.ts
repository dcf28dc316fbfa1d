import { getHttpOperationsFromSpec } from '@stoplight/prism-cli/dist/operations.js'
import { createServer } from '@stoplight/prism-http-server'
import { pino } from 'pino'
import { contract } from '../../src/contract.ts'

/** Like `prism proxy --errors --no-validate-request`, in this process. */
export async function startPrismProxy(upstream: string) {
  const operations = await getHttpOperationsFromSpec(contract)
  const server = createServer(operations, {
    cors: false,
    components: { logger: pino({ level: 'silent' }) as never },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      checkSecurity: false,
      validateRequest: false,
      validateResponse: true,
      errors: true,
      mock: { dynamic: false },
      upstreamProxy: undefined,
    },
  })
  const url = await server.listen(0, '127.0.0.1')
  return { url, close: () => server.close() }
}
