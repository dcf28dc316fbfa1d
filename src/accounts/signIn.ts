import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Context } from '../context.ts'
import type { UserRow } from '../db/schema.ts'
import { endToken, findToken, insertSession } from '../db/sessions.ts'
import { findUser, upsertHostToken } from '../db/users.ts'
import { Problem } from '../errors.ts'
import { Secret } from '../secret.ts'
import { HOST_ISSUER, type Proof } from './bearer.ts'
import { createAccount } from './createAccount.ts'
import { hashesOf } from './credential.ts'
import { sealedHostToken } from './hostTokens.ts'
import { unauthenticated } from './problems.ts'

const TOKEN_BYTES = 32
const DAY = 24 * 60 * 60_000
const LONGEST = 30 * DAY

export interface BrowserSession {
  /** What the browser keeps. */
  token: Secret
  expiresAt: Date
  user: UserRow
}

/**
 * A session of our own for whoever a token belongs to, with an account where they had none. A code host's token is saved
 * for the account: the session has no other to ask the code host with.
 */
export async function signIn(ctx: Context, token: Secret, address: string, language: string): Promise<BrowserSession> {
  const proof = await prove(ctx, token, address)
  const user = await accountOf(ctx, proof, language)
  if (ctx.bearer.issuer === HOST_ISSUER) await upsertHostToken(ctx.db, sealedHostToken(ctx, user.id, token.reveal()))
  const own = new Secret(randomBytes(TOKEN_BYTES).toString('base64url'))
  const now = ctx.now()
  const longest = new Date(now.getTime() + LONGEST)
  const expiresAt = proof.expiresAt && proof.expiresAt < longest ? proof.expiresAt : longest
  await insertSession(ctx.db, {
    id: randomUUIDv7(),
    ...hashesOf(ctx, { token: own, isCookie: true }),
    issuer: user.issuer,
    subject: user.subject,
    created_at: now,
    verified_at: now,
    check_after: null,
    expires_at: expiresAt,
    revoked_at: null,
    rest_until: null,
  })
  return { token: own, expiresAt, user }
}

/** Ends the browser's session and no other: the token it was opened with stays good. */
export async function signOut(ctx: Context, token: Secret): Promise<void> {
  await endToken(ctx.db, hashesOf(ctx, { token, isCookie: true }).revocation_hash, ctx.now())
}

async function prove(ctx: Context, token: Secret, address: string): Promise<Proof> {
  const hashes = hashesOf(ctx, { token, isCookie: false })
  const { ended } = await findToken(ctx.db, hashes)
  if (ended) throw unauthenticated('This token was logged out.')
  const key = `signing in ${hashes.token_hash.toString('hex')}`
  const checked = await ctx.checkUnknownToken(key, address, async () => {
    const proof = await ctx.bearer.verify(token)
    return proof && { proof }
  })
  if (!checked?.proof) throw unauthenticated('This token does not verify.')
  return checked.proof
}

async function accountOf(ctx: Context, proof: Proof, language: string): Promise<UserRow> {
  const owner = { issuer: ctx.bearer.issuer, subject: proof.subject }
  const known = await findUser(ctx.db, owner)
  if (known) return known
  return createAccount(ctx, { ...owner, proof }, { language }).catch(async (error) => {
    const met = error instanceof Problem && error.code === 'USER_ALREADY_EXISTS' && (await findUser(ctx.db, owner))
    if (met) return met
    throw error
  })
}
