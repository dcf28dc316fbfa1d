import { defineConfig } from 'vitest/config'
import { compileCache, shared, usesPostgres, validated } from './support/projects.ts'
import { socketUrl } from './support/socket.ts'

const TEST_DATABASE_URL = usesPostgres ? await socketUrl() : undefined

/**
 * Runs on Postgres if one listens, otherwise on the embedded database. `npm run test:slow` runs the tests that need
 * processes, browsers, the other database or thousands of requests: the excluded folders, and the operations once more.
 */
export default defineConfig({
  root: import.meta.dirname,
  ...validated,
  test: {
    ...shared,
    // One more than the cores of a small machine, because tests also wait for timeouts and for Postgres.
    maxWorkers: 3,
    exclude: ['embedded/**', 'referees/**', 'slow/**', 'system/**'],
    env: {
      ...compileCache,
      TEST_DATABASE: usesPostgres ? 'postgres' : 'embedded',
      ...(TEST_DATABASE_URL && { TEST_DATABASE_URL }),
    },
  },
})
