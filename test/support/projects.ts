import { fileURLToPath } from 'node:url'
import { POSTGRES_URL } from './database.ts'
import { listens } from './listens.ts'

const only = process.env['TEST_ONLY']
const { hostname, port } = new URL(POSTGRES_URL)
const isReachable = only === 'postgres' || (await listens(hostname, Number(port || 5432)))
if (!isReachable)
  console.log(`No Postgres at ${new URL(POSTGRES_URL).host}: running tests on the embedded database only.`)
export const usesPostgres = isReachable && only !== 'embedded'

/** Caches compiled code for the threads of the service, as `npm start` does. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
}
/**
 * As in the bundle, services do not validate the contract again, and services of one process parse it only once. The
 * aliases reach only packages that `deps.inline` names.
 */
export const validated = {
  // As in production: the development builds of packages check at run time what the types already ensure.
  ssr: { resolve: { conditions: ['node'] } },
  resolve: {
    alias: [
      {
        find: /^@seriousme\/openapi-schema-validator$/,
        replacement: fileURLToPath(new URL('../../scripts/build/validatedContract.ts', import.meta.url)),
      },
      // The path under which fastify-openapi-glue imports its own parser.
      { find: './lib/Parser.js', replacement: fileURLToPath(new URL('./parsedContract.ts', import.meta.url)) },
    ],
  },
}
export const shared = {
  globalSetup: ['./support/setup.ts'],
  isolate: false,
  server: { deps: { inline: ['fastify-openapi-glue'] } },
  // Far longer than any test takes on a quiet machine.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
}
