import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Schema } from '../schema/schema.ts'
import { answerOf, isPrepared, PreparedRun, type StatementResult } from './prepared/statement.ts'

/** Hears of every query: its text, and how long it took. */
export type OnQuery = (sql: string, seconds: number) => void

interface Swift {
  pool: pg.Pool
  onQuery: OnQuery | undefined
}

const pools = new WeakMap<Kysely<Schema>, Swift>()

/** The pool under a database, for statements that are ready to be sent as they are; none under a transaction. */
export function poolOf(db: Kysely<Schema>): Swift | undefined {
  return pools.get(db)
}

export function rememberPool(db: Kysely<Schema>, swift: Swift): void {
  pools.set(db, swift)
}

/** An error of a statement, not of its connection; those have codes such as EPIPE, or a transaction that was left open. */
const SQLSTATE = /^(?!08|57P|25P02)(?=.*\d)[0-9A-Z]{5}$/

/** A statement with a name, to be prepared once on each connection. */
export interface Statement<Row> {
  name: string
  text: string
  answer?: StatementResult<Row>
}

/** Runs a statement as it is. A connection on which one failed is kept if it is sound. */
export function send<Row>({ pool, onQuery }: Swift, statement: Statement<Row>, values: unknown[]): Promise<Row[]> {
  if (onQuery) return watched(pool, statement, values, onQuery)
  return sendBy(pool, statement, values)
}

async function watched<Row>(pool: pg.Pool, statement: Statement<Row>, values: unknown[], onQuery: OnQuery) {
  const started = performance.now()
  try {
    return await sendBy(pool, statement, values)
  } finally {
    onQuery(statement.text, (performance.now() - started) / 1000)
  }
}

function sendBy<Row>(pool: pg.Pool, statement: Statement<Row>, values: unknown[]): Promise<Row[]> {
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
