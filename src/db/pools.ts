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

const SQLSTATE = /^(?!08|57P)[0-9A-Z]{5}$/

/** Sends a statement as it is. As `pool.query`, but a connection on which a statement failed is kept if it is sound. */
export function send<Row>(pool: pg.Pool, statement: pg.QueryConfig): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    pool.connect((unconnected, client, release) => {
      if (unconnected || !client) return reject(unconnected)
      client.query(statement, (error: NodeJS.ErrnoException | null, result) => {
        release(error && !SQLSTATE.test(error.code ?? '') ? error : undefined)
        if (error) reject(error)
        else resolve(result.rows)
      })
    })
  })
}
