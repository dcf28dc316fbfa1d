import { getHttpOperationsFromSpec } from '@stoplight/prism-cli/dist/operations.js'
import { createServer } from '@stoplight/prism-http-server'
import { pino } from 'pino'
import { contract } from '../../src/contract.ts'

/** Shared by all proxies of a process, because reading the contract is slow. */
const operations = await getHttpOperationsFromSpec(contract)

/** Like `prism proxy --errors --no-validate-request`, in this process. */
export async function startPrismProxy(upstream: string) {
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
