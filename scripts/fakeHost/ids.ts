import { hash } from 'node:crypto'

const MAX_KNOWN = 10_000
/** Cached hashes of names, because the same names occur in every item of a list. */
const known = new Map<string, string>()

export function sha(text: string): string {
  if (text.length > 100) return hash('sha1', text)
  const found = known.get(text) ?? hash('sha1', text)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(text, found)
  return found
}

/** The id of a user, or of anything else with a name. */
export function idOf(name: string): number {
  return Number.parseInt(sha(name).slice(0, 8), 16) + 1
}

/** `id` and `node_id`, which everything on the host has. */
export function idsOf(name: string) {
  return { id: idOf(name), node_id: Buffer.from(name).toString('base64url') }
}

/** Encodes a name for a URL. Half of a surrogate pair is replaced, because it cannot be encoded. */
export function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed())
}
