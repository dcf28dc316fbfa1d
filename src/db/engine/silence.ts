import type { PoolClient } from 'pg'

/** Ends a connection whose query timed out on the client: the pool would otherwise hand the dead connection out again. */
export function endOnTimeout(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const watched = (...args: unknown[]) => {
    const result = query(...args)
    if (result instanceof Promise)
      result.catch((error: Error) => {
        if (error.message === 'Query read timeout') void client.end().catch(() => {})
      })
    return result
  }
  client.query = watched as typeof client.query
}
