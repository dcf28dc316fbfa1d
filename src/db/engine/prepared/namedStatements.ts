import { createHash } from 'node:crypto'

const MAX_NAMES = 500
const names = new Map<string, string>()

/**
 * A name for a statement: the hash of its text. There are a few hundred distinct texts; beyond 500, statements run
 * unnamed, so that the names cannot pile up.
 */
export function nameOf(text: string): string | undefined {
  const entry = names.get(text)
  if (entry !== undefined || names.size >= MAX_NAMES) return entry
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}
