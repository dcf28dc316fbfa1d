import type { UserRow } from '../db/schema/schema.ts'
import type { Secret } from '../lib/secret.ts'
import type { Proof } from './bearer.ts'

/** Who is asking: a verified identity, with its account once it has one. */
export interface Session {
  id: string
  issuer: string
  subject: string
  /** The token that the issuer knows: the one they came with, or the code host's that their browser signed in with. */
  bearer: Secret | null
  /** Whether a browser keeps it. */
  isCookie: boolean
  /** What ends it. */
  revocation_hash: Buffer
  user: UserRow | null
  /** Until when the code host's answers are waited for, by `performance.now()`. */
  until: number
  /** Until when the code host will not answer the token. */
  rest_until: Date | null
  /** What the issuer proved, where it was asked for this very request. */
  proof: Proof | null
}

/** Somebody with an account. */
export interface Viewer extends Session {
  user: UserRow
}
