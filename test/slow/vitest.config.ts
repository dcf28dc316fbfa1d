import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { buildBundle } from '../../scripts/build/bundle.ts'
import { compileCache, shared, usesPostgres, validated } from '../support/projects.ts'

/**
 * Test processes run the bundle, as in production, which also starts faster. Vitest evaluates this file for each
 * project at the same time, so the path of the bundle is shared in the environment.
 */
process.env['TEST_MAIN'] ??= `${await buildBundle()}/main.js`

/**
 * The database that the tests of each folder use, depending on whether a Postgres server is available.
 *
 * | folder      | with Postgres | without                                       |
 * |-------------|---------------|-----------------------------------------------|
 * | operations/ | embedded      | not run: `npm test` runs them on embedded too |
 * | embedded/   | embedded      | embedded                                      |
 * | system/     | Postgres      | not run                                       |
 * | referees/   | Postgres      | embedded                                      |
 * | slow/       | Postgres      | embedded                                      |
 */
const processes = {
  ...shared,
  name: usesPostgres ? 'postgres' : 'processes on embedded',
  // Tests of processes mostly wait, so four at once hardly slow each other down.
  maxWorkers: 4,
  sequence: { groupOrder: 0 },
  include: ['referees/**/*.test.ts', 'slow/**/*.test.ts', ...(usesPostgres ? ['system/**/*.test.ts'] : [])],
  exclude: ['referees/node_modules/**'],
  env: { ...compileCache, TEST_DATABASE: usesPostgres ? 'postgres' : 'embedded' },
}
const embedded = {
  ...shared,
  name: 'embedded',
  maxWorkers: 2,
  sequence: { groupOrder: 1 },
  include: ['embedded/**/*.test.ts', ...(usesPostgres ? ['operations/**/*.test.ts'] : [])],
  env: { ...compileCache, TEST_DATABASE: 'embedded' },
}

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: { projects: [processes, embedded].map((test) => ({ ...validated, test })) },
})
