import { defineConfig } from 'vitest/config'
import { compileCache, shared, usesPostgres, validated } from './support/projects.ts'

/**
 * Runs on Postgres if one listens, otherwise on the embedded database. What needs processes, browsers, the other database or
 * thousands of requests is in `npm run test:slow`: the folders left out here, and the operations once more.
 */
export default defineConfig({
  root: import.meta.dirname,
  ...validated,
  test: {
    ...shared,
    // On Postgres, tests also wait for it. The embedded database runs in the worker.
    maxWorkers: usesPostgres ? 4 : 2,
    exclude: ['embedded/**', 'referees/**', 'slow/**', 'system/**'],
    env: { ...compileCache, TEST_DATABASE: usesPostgres ? 'postgres' : 'embedded' },
  },
})
