import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { nameOf } from './prepared/namedStatements.ts'

/**
 * The part of the driver's client that this file extends. The driver's own type has an overload for every way to call
 * `query`.
 */
interface Queryable extends EventEmitter {
  query(...args: unknown[]): unknown
  connection: { stream: Socket }
}

const Driver = pg.Client as unknown as new (config: pg.ClientConfig) => Queryable

/**
 * A client that destroys its connection if a query takes longer than `query_timeout`. The driver's own timeout would
 * keep the connection.
 *
 * The client uses neither that timeout nor the driver's promises, because they assign a function to a property of each
 * query. V8 allocates such functions as long-lived objects, so the rows they refer to stay until a full garbage
 * collection, and each minor collection takes ten times as long.
 */
class TimedClient extends Driver {
  readonly #timeoutMilliseconds: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({ query_timeout, ...config }: pg.ClientConfig) {
    super(config)
    this.#timeoutMilliseconds = query_timeout
    this.on('drain', () => clearTimeout(this.#timer))
    this.on('end', () => clearTimeout(this.#timer))
  }

  override query(query: unknown, values?: unknown, callback?: unknown): unknown {
    clearTimeout(this.#timer)
    if (this.#timeoutMilliseconds) this.#timer = setTimeout(destroy, this.#timeoutMilliseconds, this.connection.stream)
    if (isSubmittable(query) || typeof values === 'function' || callback) return super.query(query, values, callback)
    return new Promise((resolve, reject) => {
      super.query(query, values, (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)))
    }).catch((error) => {
      // Without this, the stack leads to the socket instead of the caller.
      Error.captureStackTrace(error)
      throw error
    })
  }
}

function isSubmittable(query: unknown): boolean {
  return typeof (query as { submit?: unknown }).submit === 'function'
}

function destroy(stream: Socket): void {
  stream.destroy(new Error('Query read timeout'))
}

/** Names every query with parameters, so that Postgres parses it once per connection and can reuse its plan. */
class NamingClient extends TimedClient {
  override query(query: unknown, values?: unknown, callback?: unknown): unknown {
    if (typeof query !== 'string' || !Array.isArray(values) || values.length === 0)
      return super.query(query, values, callback)
    return super.query({ name: nameOf(query), text: query, values }, undefined, callback)
  }
}

/** The client class for a pool. */
export function clientClass(namesStatements: boolean): typeof pg.Client {
  return (namesStatements ? NamingClient : TimedClient) as unknown as typeof pg.Client
}
