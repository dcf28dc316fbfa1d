import { randomBytes } from 'node:crypto'
import { Secret } from './secret.ts'

/** What API tokens begin with, so that people and scanners recognize them. */
const PREFIX = 'pp_'
const BYTES = 32

/** Matches API tokens in a text, also those that were copied incompletely. */
export const API_TOKENS = /pp_[0-9a-f]{16,}/g

export function newApiToken(): Secret {
  return new Secret(PREFIX + randomBytes(BYTES).toString('hex'))
}

export function isApiToken(token: Secret): boolean {
  return token.reveal().startsWith(PREFIX)
}
