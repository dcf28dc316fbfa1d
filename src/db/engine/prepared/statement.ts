import type pg from 'pg'
import { serialize } from 'pg-protocol'

/** Reads the rows of a statement. Its columns are known after the first run and never change. */
export interface RowReader<Row> {
  toRow(fields: (string | null)[]): Row
}

type Value = string | number | boolean | Buffer | null | undefined
type Done<Row> = (error: Error | null, rows?: Row[]) => void

/** The part of the driver's connection that is used here. */
interface Connection {
  stream: { write(bytes: Buffer): void }
  parsedStatements: Record<string, string>
}

const EXECUTE = serialize.execute()
const SYNC = serialize.sync()

/**
 * Runs a statement that this connection has prepared before. The driver would ask Postgres for the columns of the
 * result each time and set up their parsers again, which is half of the cost of a small statement in this process. If
 * the statement needs other settings, a second statement makes them before it. Both are sent together, so Postgres runs
 * them in one transaction.
 */
export class PreparedRun<Row> {
  readonly name: string
  readonly #values: Value[]
  readonly #reader: RowReader<Row>
  #settings: string | undefined
  #rows: (string | null)[][] = []
  /** Public, because the driver wraps it for its query timeout. */
  callback: Done<Row>

  constructor(name: string, values: Value[], reader: RowReader<Row>, callback: Done<Row>, settings?: string) {
    this.name = name
    this.#values = values
    this.#reader = reader
    this.callback = callback
    this.#settings = settings
  }

  submit(connection: Connection): null {
    const bind = serialize.bind({ statement: this.name, values: this.#values, valueMapper: toText })
    const settings = this.#settings === undefined ? [] : [serialize.bind({ statement: this.#settings }), EXECUTE]
    connection.stream.write(Buffer.concat([...settings, bind, EXECUTE, SYNC]))
    return null
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete(): void {
    if (this.#settings === undefined) return
    // The rows received so far are the result of the settings statement.
    this.#rows = []
    this.#settings = undefined
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    let rows: Row[]
    try {
      rows = this.#rows.map((fields) => this.#reader.toRow(fields))
    } catch (error) {
      return void this.callback(error as Error)
    }
    this.callback(null, rows)
  }
}

export function isPrepared(client: pg.ClientBase, name: string): boolean {
  return (client as unknown as { connection: Connection }).connection.parsedStatements[name] !== undefined
}

export function rowReaderOf<Row>(client: pg.ClientBase, columns: pg.FieldDef[]): RowReader<Row> {
  const parsers = columns.map(({ dataTypeID }) => client.getTypeParser(dataTypeID, 'text') as (text: string) => unknown)
  const names = columns.map(({ name }) => name)
  return {
    toRow(fields) {
      const row: Record<string, unknown> = {}
      for (let i = 0; i < names.length; i++) {
        const field = fields[i]
        row[names[i] as string] = field === null || field === undefined ? null : parsers[i]?.(field)
      }
      return row as Row
    },
  }
}

function toText(value: Value): string | Buffer | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' || Buffer.isBuffer(value) ? value : String(value)
}
