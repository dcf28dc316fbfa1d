import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Schema } from '../schema/schema.ts'
import { isPrepared, PreparedRun, type RowReader, rowReaderOf } from './prepared/statement.ts'

/** Called after every query with its text and duration. */
export type OnQuery = (sql: string, seconds: number) => void

interface PoolEntry {
  pool: pg.Pool
  onQuery: OnQuery | undefined
}

const pools = new WeakMap<Kysely<Schema>, PoolEntry>()

/** The pool of a database, for running prepared statements directly; undefined for a transaction. */
export function poolOf(db: Kysely<Schema>): PoolEntry | undefined {
  return pools.get(db)
}

export function rememberPool(db: Kysely<Schema>, entry: PoolEntry): void {
  pools.set(db, entry)
}

/**
 * Matches the codes of errors that concern the statement alone. After any other error (EPIPE and the like, lost
 * connection 08 and 57P, failed open transaction 25P02), the connection must not be reused.
 */
const SQLSTATE = /^(?!08|57P|25P02)(?=.*\d)[0-9A-Z]{5}$/

/** A named statement, prepared once per connection. */
export interface Statement<Row> {
  name: string
  text: string
  /** A statement that runs before this one and changes settings for it alone. */
  settings?: Statement<unknown>
  /** Reads the rows of the result; known after the first run. */
  reader?: RowReader<Row>
}

/** Runs a statement on a pooled connection, which is reused after an error that concerns the statement alone. */
export function send<Row>({ pool, onQuery }: PoolEntry, statement: Statement<Row>, values: unknown[]): Promise<Row[]> {
  if (onQuery) return sendTimed(pool, statement, values, onQuery)
  return sendOn(pool, statement, values)
}

async function sendTimed<Row>(pool: pg.Pool, statement: Statement<Row>, values: unknown[], onQuery: OnQuery) {
  const started = performance.now()
  try {
    return await sendOn(pool, statement, values)
  } finally {
    onQuery(statement.text, (performance.now() - started) / 1000)
  }
}

function sendOn<Row>(pool: pg.Pool, statement: Statement<Row>, values: unknown[]): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    pool.connect((connectError, client, release) => {
      if (connectError || !client) return reject(connectError)
      const { name, reader, settings } = statement
      const end = (error: NodeJS.ErrnoException | null, rows: Row[] = []) => {
        release(error && !SQLSTATE.test(error.code ?? '') ? error : undefined)
        if (error) reject(error)
        else resolve(rows)
      }
      const isKnown = isPrepared(client, name) && (!settings || isPrepared(client, settings.name))
      if (reader && isKnown)
        client.query(new PreparedRun(name, values as never[], reader, end, settings?.name) as never)
      else
        runFirst(client, statement, values).then(({ fields, rows }) => {
          statement.reader ??= rowReaderOf(client, fields)
          end(null, rows as Row[])
        }, end)
    })
  })
}

/** Runs a statement for the first time on a connection, which prepares it there. */
async function runFirst(client: pg.ClientBase, { name, text, settings }: Statement<unknown>, values: unknown[]) {
  if (!settings) return client.query({ name, text, values })
  await client.query('begin')
  try {
    await client.query({ name: settings.name, text: settings.text })
    return await client.query({ name, text, values })
  } finally {
    // After an error, Postgres rolls back instead.
    await client.query('commit')
  }
}
