import type { Kysely } from 'kysely'
import type { Schema } from '../../src/db/schema/schema.ts'
import type { Side } from './compare.ts'

/** Gives each benchmark its own database and starts servers on it. */
export interface Bench {
  db: Kysely<Schema>
  /** The environment for servers that are not started with `start`. */
  env: Record<string, string>
  start(name: string, file: 'ourServer' | 'bareServer', env?: NodeJS.ProcessEnv): Promise<Side>
}

export const ROUNDS = 21
export const WARM_UPS = 12
