import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'

const MAX_NAMES = 500
const names = new Map<string, string>()

/**
 * Names every query with parameters by a hash of its text, so that Postgres parses it once per connection and can reuse
 * its plan. There are a few hundred distinct texts; beyond 500, queries run unnamed, so that the names cannot pile up.
 */
export function nameStatements(client: ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const named = (text: unknown, values: unknown, ...rest: unknown[]) =>
    typeof text === 'string' && Array.isArray(values) && values.length > 0
      ? query({ name: nameOf(text), text, values }, ...rest)
      : query(text, values, ...rest)
  client.query = named as typeof client.query
}

export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_NAMES) return known
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}
