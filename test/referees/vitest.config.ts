import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { compileCache, shared, usesPostgres, validated } from '../support/projects.ts'

/** Holds the service against what others publish, and runs slow tests. Runs on Postgres if one listens, otherwise on the embedded database. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  ...validated,
  test: {
    ...shared,
    name: 'referees',
    maxWorkers: 2,
    include: ['referees/**/*.test.ts', 'slow/**/*.test.ts'],
    exclude: ['referees/node_modules/**'],
    env: { ...compileCache, TEST_DATABASE: usesPostgres ? 'postgres' : 'embedded' },
  },
})
