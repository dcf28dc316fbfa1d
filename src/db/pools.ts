import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'
import { type Answer, answerOf, isPrepared, PreparedRun } from './statement.ts'

const pools = new WeakMap<Kysely<Schema>, pg.Pool>()

/** The pool under a database, for statements that are ready to be sent as they are; none under a transaction. */
export function poolOf(db: Kysely<Schema>): pg.Pool | undefined {
  return pools.get(db)
}

export function rememberPool(db: Kysely<Schema>, pool: pg.Pool): void {
  pools.set(db, pool)
}

/** An error of a statement, not of its connection; those have codes such as EPIPE. */
const SQLSTATE = /^(?!08|57P)(?=.*\d)[0-9A-Z]{5}$/

/** A statement with a name, to be prepared once on each connection. */
export interface Statement<Row> {
  name: string
  text: string
  answer?: Answer<Row>
}

/** Runs a statement as it is. A connection on which one failed is kept if it is sound. */
export function send<Row>(pool: pg.Pool, statement: Statement<Row>, values: unknown[]): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    pool.connect((unconnected, client, release) => {
      if (unconnected || !client) return reject(unconnected)
      const { name, text, answer } = statement
      const end = (error: NodeJS.ErrnoException | null, rows: Row[] = []) => {
        release(error && !SQLSTATE.test(error.code ?? '') ? error : undefined)
        if (error) reject(error)
        else resolve(rows)
      }
      if (answer && isPrepared(client, name)) {
        client.query(new PreparedRun(name, values as never[], answer, end) as never)
        return
      }
      client.query({ name, text, values }, (error: NodeJS.ErrnoException | null, result) => {
        if (result) statement.answer ??= answerOf(client, result.fields)
        end(error, result?.rows)
      })
    })
  })
}
