import { fileURLToPath } from 'node:url'
import { POSTGRES_URL } from './database.ts'
import { listens } from './listens.ts'

const only = process.env['TEST_ONLY']
const { hostname, port } = new URL(POSTGRES_URL)
const isReachable = only === 'postgres' || (await listens(hostname, Number(port || 5432)))
if (!isReachable)
  console.log(`No Postgres at ${new URL(POSTGRES_URL).host}: running tests on the embedded database only.`)
export const usesPostgres = isReachable && only !== 'embedded'

/** Like `npm start`, for the threads of the service. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
}
/** Like the bundle: the contract is not validated again for each service. Aliases do not reach into other packages. */
export const validated = {
  // As in production. Builds for development check what the types hold already.
  ssr: { resolve: { conditions: ['node'] } },
  resolve: {
    alias: [
      {
        find: /^@seriousme\/openapi-schema-validator$/,
        replacement: fileURLToPath(new URL('../../scripts/build/validatedContract.ts', import.meta.url)),
      },
    ],
  },
}
/** Puts Prism in front of the services of this folder's tests. */
export const behindPrism = { TEST_BEHIND_PRISM: 'operations' }
export const shared = {
  globalSetup: ['./support/setup.ts'],
  isolate: false,
  server: { deps: { inline: ['fastify-openapi-glue'] } },
  // Far longer than any test takes on a quiet machine.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
}
