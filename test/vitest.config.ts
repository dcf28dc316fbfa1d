import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { POSTGRES_URL } from './support/database.ts'
import { listens } from './support/listens.ts'

const only = process.env['TEST_ONLY']
const { hostname, port } = new URL(POSTGRES_URL)
const postgres = only === 'postgres' || (await listens(hostname, Number(port || 5432)))
if (!postgres) console.log(`No Postgres at ${new URL(POSTGRES_URL).host}: running tests on the embedded database only.`)

const isPostgresRun = postgres && !only

/** Like `npm start`, for the threads of the service. */
const compileCache = { NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)) }
const shared = {
  globalSetup: ['./support/setup.ts'],
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
}
/**
 * | folder       | with Postgres                       | without  |
 * |--------------|-------------------------------------|----------|
 * | operations/  | embedded, and Postgres behind Prism | embedded, also behind Prism |
 * | embedded/ | embedded                            | embedded |
 * | system/ | Postgres                            | not run  |
 * | others       | Postgres                            | embedded |
 */
const projects = [
  {
    test: {
      ...shared,
      name: 'embedded',
      include: isPostgresRun ? ['operations/**/*.test.ts', 'embedded/**/*.test.ts'] : ['**/*.test.ts'],
      exclude: ['system/**'],
      env: { ...compileCache, TEST_DATABASE: 'embedded' },
    },
  },
  {
    test: {
      ...shared,
      name: 'proxied',
      include: ['operations/**/*.test.ts'],
      env: { ...compileCache, TEST_DATABASE: postgres ? 'postgres' : 'embedded', TEST_PROXY: 'prism' },
    },
  },
  {
    test: {
      ...shared,
      name: 'postgres',
      include: ['**/*.test.ts'],
      exclude: ['embedded/**', ...(only ? [] : ['operations/**'])],
      env: { ...compileCache, TEST_DATABASE: 'postgres' },
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
