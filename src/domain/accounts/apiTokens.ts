import { randomUUIDv7 } from 'node:crypto'
import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { contract } from '../../contract.ts'
import { type ApiTokenRow, countLiveApiTokens, findApiTokens, insertApiToken } from '../../db/accounts/apiTokens.ts'
import { endToken, findRevocationHash } from '../../db/accounts/endedSessions.ts'
import { lockUser } from '../../db/accounts/users.ts'
import { forbidden, Problem } from '../../errors.ts'
import { newApiToken } from '../../lib/apiToken.ts'
import { decodeCursor, encodeCursor, isTime, isUuid } from '../../lib/cursor.ts'
import { DAY_MS, HOUR_MS } from '../../lib/times.ts'
import { tokenKeys } from './credential.ts'
import { userNotFound } from './problems.ts'
import type { Viewer } from './session.ts'

type CreateTokenRequest = components['schemas']['CreateTokenRequest']
type ApiToken = components['schemas']['ApiToken']
type ApiTokensPage = components['schemas']['ApiTokensPage']

export const TOKEN_NAME = contract.components.schemas['TokenName'] as { maxLength: number; pattern: string }
export const MAX_TOKENS = 20
const DEFAULT_LIFETIME_MS = 90 * DAY_MS
/** The clock of a client may be ahead of ours, and it may ask for exactly a year. */
const TOLERANCE_MS = HOUR_MS

/** Creates an API token. Only its hash is stored, so the result is the only place that contains the token. */
export async function createToken(ctx: Context, viewer: Viewer, { name, scopes, expiresAt }: CreateTokenRequest) {
  const token = newApiToken()
  const { issuer, subject } = viewer
  const created_at = ctx.now()
  const row = {
    id: randomUUIDv7(),
    token_name: name.trim(),
    token_scopes: scopes.toSorted(),
    created_at,
    expires_at: expiryOf(expiresAt, created_at),
  }
  const { token_hash, revocation_hash } = tokenKeys(ctx, { token, isCookie: false })
  await ctx.db.transaction().execute(async (trx) => {
    // The lock keeps two requests from exceeding the limit together, and the account from being deleted meanwhile.
    if (!(await lockUser(trx, viewer.user.id))) throw userNotFound()
    if ((await countLiveApiTokens(trx, viewer, created_at)) >= MAX_TOKENS)
      throw forbidden('token_limit', `An account has at most ${MAX_TOKENS} API tokens.`, { limit: MAX_TOKENS })
    await insertApiToken(trx, { ...row, token_hash, revocation_hash, issuer, subject })
  })
  return { ...toApiToken(row), token: token.reveal() }
}

/** Whether a name fits the contract, which the service checks by itself only for the API. */
export function isTokenName(name: string): boolean {
  return name !== '' && [...name].length <= TOKEN_NAME.maxLength && new RegExp(TOKEN_NAME.pattern, 'u').test(name)
}

function expiryOf(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + DEFAULT_LIFETIME_MS)
  const expiresAt = new Date(text)
  const latest = new Date(now.getTime() + TOLERANCE_MS)
  latest.setUTCFullYear(latest.getUTCFullYear() + 1)
  if (expiresAt > now && expiresAt <= latest) return expiresAt
  throw new Problem('VALIDATION_ERROR', 'An API token must expire within a year.', {
    details: { issues: [{ in: 'body', path: '/expiresAt', message: 'must be in the future, at most a year ahead' }] },
  })
}

export async function listTokens(
  ctx: Context,
  viewer: Viewer,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ApiTokensPage> {
  const values = decodeCursor<[number, string]>(cursor, ([at, id]) => isTime(at) && isUuid(id))
  const after = values && { at: new Date(values[0]), id: values[1] }
  const rows = await findApiTokens(ctx.db, viewer, { limit: limit + 1, after })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    data: page.map(toApiToken),
    pagination: { limit, nextCursor: last ? encodeCursor([last.created_at.getTime(), last.id]) : null },
  }
}

/** Revokes an API token of the viewer's account for good, on every node. */
export async function revokeToken(ctx: Context, viewer: Viewer, id: string): Promise<void> {
  const revocationHash = await findRevocationHash(ctx.db, viewer, id, 'api token')
  if (!revocationHash) throw new Problem('NOT_FOUND', 'This account has no such token.')
  await endToken(ctx.db, revocationHash, ctx.now())
}

function toApiToken({ id, token_name, token_scopes, created_at, expires_at }: ApiTokenRow): ApiToken {
  return {
    id,
    name: token_name,
    scopes: token_scopes,
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
  }
}
