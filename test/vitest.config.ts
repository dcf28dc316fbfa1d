import { defineConfig } from 'vitest/config'
import { behindPrism, compileCache, shared, usesBoth, usesPostgres, validated } from './support/projects.ts'

/**
 * | folder      | with Postgres                       | without               |
 * |-------------|-------------------------------------|-----------------------|
 * | operations/ | embedded, and Postgres behind Prism | embedded behind Prism |
 * | embedded/   | embedded                            | embedded              |
 * | system/     | Postgres                            | not run               |
 * | others      | Postgres                            | embedded              |
 *
 * `referees/` and `slow/` have a configuration of their own: `npm run test:slow`.
 */
const embedded = {
  ...shared,
  name: 'embedded',
  // The embedded database runs in the worker, so that more workers than cores only add work.
  maxWorkers: 2,
  sequence: { groupOrder: 0 },
  include: usesBoth ? ['operations/**/*.test.ts', 'embedded/**/*.test.ts'] : ['**/*.test.ts'],
  exclude: ['system/**', 'referees/**', 'slow/**'],
  env: { ...compileCache, TEST_DATABASE: 'embedded', ...(!usesBoth && behindPrism) },
}
const postgres = {
  ...shared,
  name: 'postgres',
  // Tests also wait for Postgres and for processes.
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
  include: ['**/*.test.ts'],
  exclude: ['embedded/**', 'referees/**', 'slow/**'],
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
