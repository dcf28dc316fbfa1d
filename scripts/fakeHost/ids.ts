import { createHash } from 'node:crypto'

export function sha(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

/** The id of a user. */
export function idOf(login: string): number {
  return Number.parseInt(sha(login).slice(0, 8), 16) + 1
}
