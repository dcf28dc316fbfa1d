import type { PoolClient } from 'pg'

/** Has a connection end on which an answer did not come in time: given back, it would only be handed out again. */
export function endWhenSilent(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const watched = (...args: unknown[]) => {
    const asking = query(...args)
    if (asking instanceof Promise)
      asking.catch((error: Error) => {
        if (error.message === 'Query read timeout') void client.end().catch(() => {})
      })
    return asking
  }
  client.query = watched as typeof client.query
}
