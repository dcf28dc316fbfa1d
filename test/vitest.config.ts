import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { buildBundle } from '../scripts/build/bundle.ts'
import { POSTGRES_URL } from './support/database.ts'
import { listens } from './support/listens.ts'

const only = process.env['TEST_ONLY']
const { hostname, port } = new URL(POSTGRES_URL)
const isReachable = only === 'postgres' || (await listens(hostname, Number(port || 5432)))
if (!isReachable)
  console.log(`No Postgres at ${new URL(POSTGRES_URL).host}: running tests on the embedded database only.`)
const usesPostgres = isReachable && only !== 'embedded'
const usesBoth = isReachable && !only

/** Like `npm start`, for the threads of the service. */
const compileCache = { NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)) }
/**
 * Processes run the bundle, as in production. It also starts faster. This file is evaluated again for each project, at the
 * same time: the environment is what they share.
 */
process.env['TEST_MAIN'] ??= `${await buildBundle()}/main.js`
/** Like the bundle: the contract is not validated again for each service. Aliases do not reach into other packages. */
const validated = {
  resolve: {
    alias: [
      {
        find: /^@seriousme\/openapi-schema-validator$/,
        replacement: fileURLToPath(new URL('../scripts/build/validatedContract.ts', import.meta.url)),
      },
    ],
  },
}
/** Puts Prism in front of the services of this folder's tests. */
const behindPrism = { TEST_BEHIND_PRISM: 'operations' }
const shared = {
  globalSetup: ['./support/setup.ts'],
  isolate: false,
  server: { deps: { inline: ['fastify-openapi-glue'] } },
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
}
/**
 * | folder      | with Postgres                       | without               |
 * |-------------|-------------------------------------|-----------------------|
 * | operations/ | embedded, and Postgres behind Prism | embedded behind Prism |
 * | embedded/   | embedded                            | embedded              |
 * | system/     | Postgres                            | not run               |
 * | others      | Postgres                            | embedded              |
 */
const embedded = {
  ...shared,
  name: 'embedded',
  // The embedded database runs in the worker, so that more workers than cores only add work.
  maxWorkers: 2,
  sequence: { groupOrder: 0 },
  include: usesBoth ? ['operations/**/*.test.ts', 'embedded/**/*.test.ts'] : ['**/*.test.ts'],
  exclude: ['system/**'],
  env: { ...compileCache, TEST_DATABASE: 'embedded', ...(!usesBoth && behindPrism) },
}
const postgres = {
  ...shared,
  name: 'postgres',
  // Tests also wait for Postgres and for processes.
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
  include: ['**/*.test.ts'],
  exclude: ['embedded/**'],
  env: { ...compileCache, TEST_DATABASE: 'postgres', ...behindPrism },
}

export default defineConfig({
  root: import.meta.dirname,
  test: {
    projects: [...(usesBoth || !usesPostgres ? [embedded] : []), ...(usesPostgres ? [postgres] : [])].map((test) => ({
      ...validated,
      test,
    })),
  },
})
