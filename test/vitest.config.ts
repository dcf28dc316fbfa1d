import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { POSTGRES_URL } from './support/database.ts'
import { listens } from './support/listens.ts'

const only = process.env['TEST_ONLY']
const { hostname, port } = new URL(POSTGRES_URL)
const postgres = only === 'postgres' || (await listens(hostname, Number(port || 5432)))
if (!postgres)
  console.log(`No Postgres at ${new URL(POSTGRES_URL).host}: the suite runs on the embedded database only.`)

/** As `npm start` sets it, for the threads of the service. */
const compiled = { NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)) }
const shared = {
  globalSetup: ['./support/setup.ts'],
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
}
/** Slow, and would hardly say anything else on another database: once is enough where both are run. */
const slowAndAlike = [
  'config.test.ts',
  'contract/clients.test.ts',
  'contract/document.test.ts',
  'contract/mock.test.ts',
  'demo.test.ts',
  'logger.test.ts',
  'main.test.ts',
]
/** Slow too, and run on Postgres whenever there is one: not worth it once more right after that. */
const ranJustNow = ['db/postgres/**', 'read/chromium.test.ts']
const onceMore = process.env['TEST_ONCE_MORE'] ? ranJustNow : []
/** Rules rather than SQL of one kind: on Postgres where there is one, else on the embedded database. */
const onEither = [
  'accounts/**',
  'articles/**',
  'care/**',
  'contract/access.test.ts',
  'contract/canary.test.ts',
  'contract/generative.test.ts',
  'host/**',
  'http/**',
  'likes/**',
  'model/**',
  'pulls/**',
  'read/**',
  'repositories/**',
  'sight/**',
  'threads/**',
]
const projects = [
  {
    test: {
      ...shared,
      name: 'embedded',
      include: ['**/*.test.ts'],
      exclude: ['db/postgres/**', ...(postgres && !only ? onEither : [])],
      env: { ...compiled, TEST_DATABASE: 'embedded' },
    },
  },
  {
    test: {
      ...shared,
      name: 'proxied',
      include: ['operations/**/*.test.ts'],
      env: { ...compiled, TEST_DATABASE: postgres ? 'postgres' : 'embedded', TEST_PROXY: 'prism' },
    },
  },
  {
    test: {
      ...shared,
      name: 'postgres',
      include: ['**/*.test.ts'],
      // Operations are run on Postgres through the proxy already.
      exclude: ['db/embedded/**', ...(only ? onceMore : [...slowAndAlike, 'operations/**'])],
      env: { ...compiled, TEST_DATABASE: 'postgres' },
    },
  },
]

export default defineConfig({
  root: import.meta.dirname,
  test: {
    maxWorkers: 4,
    projects: projects.filter(({ test: { name } }) => (only ? name === only : name !== 'postgres' || postgres)),
  },
})
