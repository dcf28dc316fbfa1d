import pg from 'pg'
import { nameOf } from './prepared/namedStatements.ts'

/** The part of the driver's client that is extended. Its own type has an overload for every way to call `query`. */
interface Queryable {
  query(...args: unknown[]): unknown
  end(): Promise<void>
}

const Driver = pg.Client as unknown as new (config?: pg.ClientConfig) => Queryable

/** Ends a connection whose query timed out here: the pool would otherwise hand the dead connection out again. */
class TimeoutEndingClient extends Driver {
  override query(...args: unknown[]): unknown {
    const result = super.query(...args)
    if (result instanceof Promise)
      result.catch((error: Error) => {
        if (error.message === 'Query read timeout') void this.end().catch(() => {})
      })
    return result
  }
}

/** Names every query with parameters, so that Postgres parses it once per connection and can reuse its plan. */
class NamingClient extends TimeoutEndingClient {
  override query(text: unknown, values: unknown, ...rest: unknown[]): unknown {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return super.query(text, values, ...rest)
    return super.query({ name: nameOf(text), text, values }, ...rest)
  }
}

/** The client class for a pool. */
export function clientClass(namesStatements: boolean): typeof pg.Client {
  return (namesStatements ? NamingClient : TimeoutEndingClient) as unknown as typeof pg.Client
}
