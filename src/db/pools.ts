import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'

const pools = new WeakMap<Kysely<Schema>, pg.Pool>()

/** The pool under a database, for statements that are ready to be sent as they are; none under a transaction. */
export function poolOf(db: Kysely<Schema>): pg.Pool | undefined {
  return pools.get(db)
}

export function rememberPool(db: Kysely<Schema>, pool: pg.Pool): Kysely<Schema> {
  pools.set(db, pool)
  return db
}
