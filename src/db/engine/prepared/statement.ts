import type pg from 'pg'
import { serialize } from 'pg-protocol'

/** What is known of a statement's answer once it has been run: it is the same every time. */
export interface StatementResult<Row> {
  toRow(fields: (string | null)[]): Row
}

type Value = string | number | boolean | Buffer | null | undefined
type Done<Row> = (error: Error | null, rows?: Row[]) => void

/** What the driver lets such an object use of its connection. */
interface Connection {
  stream: { write(bytes: Buffer): void }
  parsedStatements: Record<string, string>
}

const EXECUTE_AND_SYNC = Buffer.concat([serialize.execute(), serialize.sync()])

/**
 * A statement that this connection has prepared, run once more. The driver would ask Postgres each time what columns
 * the answer has, and work out anew how to read them: half of what a small statement costs here.
 */
export class PreparedRun<Row> {
  readonly name: string
  readonly #values: Value[]
  readonly #answer: StatementResult<Row>
  readonly #rows: (string | null)[][] = []
  /** The driver puts its own in front of it, to watch the time. */
  callback: Done<Row>

  constructor(name: string, values: Value[], answer: StatementResult<Row>, callback: Done<Row>) {
    this.name = name
    this.#values = values
    this.#answer = answer
    this.callback = callback
  }

  submit(connection: Connection): null {
    const bind = serialize.bind({ statement: this.name, values: this.#values, valueMapper: toText })
    connection.stream.write(Buffer.concat([bind, EXECUTE_AND_SYNC]))
    return null
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    let rows: Row[]
    try {
      rows = this.#rows.map((fields) => this.#answer.toRow(fields))
    } catch (error) {
      return void this.callback(error as Error)
    }
    this.callback(null, rows)
  }
}

export function isPrepared(client: pg.ClientBase, name: string): boolean {
  return (client as unknown as { connection: Connection }).connection.parsedStatements[name] !== undefined
}

/** How to read the columns that an answer had. */
export function answerOf<Row>(client: pg.ClientBase, columns: pg.FieldDef[]): StatementResult<Row> {
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
