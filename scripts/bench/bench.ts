import type { Kysely } from 'kysely'
import type { Schema } from '../../src/db/schema/schema.ts'
import type { FakeHost } from '../../test/support/fakeHost.ts'
import type { Side } from './compare.ts'

/** What a measurement is given: a database of its own, and servers on it as it asks for them. */
export interface Bench {
  db: Kysely<Schema>
  host: FakeHost
  /** For a server that is started otherwise. */
  env: Record<string, string>
  start(name: string, file: 'ourServer' | 'bareServer', env?: NodeJS.ProcessEnv): Promise<Side>
}

export const ROUNDS = 21
export const WARM_UPS = 12
