import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../context.ts'
import { deleteSession } from '../db/accounts/endedSessions.ts'
import {
  findToken,
  insertSession,
  type KnownSession,
  RECHECK_MINUTES,
  reseal,
  type TokenHashes,
  updateChecks,
} from '../db/accounts/sessions.ts'
import { updateProfile } from '../db/accounts/users.ts'
import type { NewSession } from '../db/schema/schema.ts'
import { HostRateLimited, HostUnavailable, MAX_REST_SECONDS } from '../host/errors.ts'
import { isPending, isRecent } from '../lib/clock.ts'
import { Secret } from '../lib/secret.ts'
import { HOST_ISSUER, type Proof } from './bearer.ts'
import { type Credential, hashesOf } from './credential.ts'
import { unauthenticated } from './problems.ts'
import { profileColumns } from './profile.ts'
import { isOutdated, seal, unseal } from './seal.ts'
import type { Session } from './session.ts'

const MINUTE = 60_000
export const RECHECK_AFTER = RECHECK_MINUTES * MINUTE
const RETRY_RECHECK_AFTER = MINUTE
const HOST_MS = 15_000
const GOOD_WITHOUT_HOST = 24 * 60 * MINUTE
const SIGNED_OUT = 'This session has ended. Sign in again.'

/** Whose token it is. A token seen before is answered for by its session, without asking its issuer. */
export async function authenticate(ctx: Context, credential: Credential, address: string): Promise<Session> {
  const until = performance.now() + HOST_MS
  const { token, isCookie } = credential
  const hashes = hashesOf(ctx, credential)
  const own = { revocation_hash: hashes.revocation_hash, isCookie, until }
  const { ended, session: known } = await findToken(ctx.db, hashes)
  if (ended) throw unauthenticated(isCookie ? SIGNED_OUT : 'This token was logged out.')
  if (!known && isCookie) throw unauthenticated(SIGNED_OUT)
  if (!known) return { ...(await openSession(ctx, token, hashes, address)), ...own, bearer: token }

  const now = ctx.now()
  if (known.issuer !== ctx.bearer.issuer) throw unauthenticated()
  if (known.expires_at && known.expires_at <= now) throw unauthenticated('This token has expired.')
  const rests = known.rest_until !== null && isPending(known.rest_until, now, MAX_REST_SECONDS * 1000)
  const due = !rests && known.check_after !== null && !isPending(known.check_after, now, RECHECK_AFTER)
  const bearer = isCookie ? tokenOpenedWith(ctx, known) : token
  const proof = due && bearer ? await ctx.oneRecheckPerToken(known.id, () => recheck(ctx, bearer, known)) : null
  return { ...known, ...own, bearer, proof }
}

/** Null where it was opened with a token that the code host does not know. */
function tokenOpenedWith(ctx: Context, { id, issuer, key_id, sealed }: KnownSession): Secret | null {
  if (issuer !== HOST_ISSUER) return null
  if (key_id === null || sealed === null) throw unauthenticated(SIGNED_OUT)
  const token = unseal(ctx.encryptionKeys, { key_id, sealed }, id)
  if (token === undefined) throw unauthenticated(SIGNED_OUT)
  return new Secret(token)
}

async function openSession(ctx: Context, token: Secret, hashes: TokenHashes, address: string) {
  const opened = await ctx.checkUnknownToken(hashes.token_hash.toString('hex'), address, async () => {
    // A check that has just ended may have opened it.
    const { session } = await findToken(ctx.db, hashes)
    if (session) return { proof: null }
    const proof = await ctx.bearer.verify(token)
    if (proof) await insertSession(ctx.db, newSession(ctx, hashes, proof))
    return proof && { proof }
  })
  if (!opened) throw unauthenticated()
  const { ended, session } = await findToken(ctx.db, hashes)
  if (ended || !session) throw unauthenticated()
  return { ...session, ...opened }
}

/** What is kept of a token that was just verified. */
export function newSession(ctx: Context, hashes: TokenHashes, proof: Proof): NewSession {
  const now = ctx.now()
  return {
    id: randomUUIDv7(),
    ...hashes,
    issuer: ctx.bearer.issuer,
    subject: proof.subject,
    created_at: now,
    verified_at: now,
    check_after: ctx.bearer.verifyAgain ? later(ctx, RECHECK_AFTER) : null,
    expires_at: proof.expiresAt,
    revoked_at: null,
    rest_until: null,
  }
}

/** Asks the issuer again. While it cannot be reached, what it said stays good for a day. */
async function recheck(ctx: Context, token: Secret, known: KnownSession): Promise<Proof | null> {
  const proof = await ctx.bearer.verifyAgain?.(token).catch(async (error) => {
    const unreachable = error instanceof HostUnavailable || error instanceof HostRateLimited
    const stillGood = isRecent(known.verified_at, ctx.now(), GOOD_WITHOUT_HOST)
    if (!unreachable || !stillGood) throw error
    await updateChecks(ctx.db, known.id, nextCheck(known, later(ctx, RETRY_RECHECK_AFTER)))
    return undefined
  })
  if (proof === undefined) return null
  if (proof?.subject !== known.subject) {
    await deleteSession(ctx.db, known.id)
    throw unauthenticated()
  }
  await updateChecks(ctx.db, known.id, { verified_at: ctx.now(), ...nextCheck(known, later(ctx, RECHECK_AFTER)) })
  if (known.sealed && known.key_id && isOutdated(ctx.encryptionKeys, { key_id: known.key_id, sealed: known.sealed }))
    await reseal(ctx.db, known, seal(ctx.encryptionKeys, token.reveal(), known.id))
  if (proof.profile) await updateProfile(ctx.db, known, profileColumns(proof.profile), ctx.now())
  return proof
}

function nextCheck({ sealed }: KnownSession, at: Date) {
  return sealed ? { recheck_after: at } : { check_after: at }
}

function later(ctx: Context, milliseconds: number): Date {
  return new Date(ctx.now().getTime() + milliseconds)
}
