import type { Context } from '../../context.ts'
import { isLive } from '../../db/accounts/sessions.ts'
import { hasUser } from '../../db/accounts/users.ts'
import { unauthenticated, userNotFound } from './problems.ts'
import type { Session, Viewer } from './session.ts'

/** Throws if the session has ended, on this node or another. Used after a request has waited. */
export async function requireLive(ctx: Context, { id }: Session): Promise<void> {
  if (!(await isLive(ctx.db, id, ctx.now()))) throw unauthenticated('This session has ended.')
}

/**
 * Like `requireLive`, for operations that need an account. If the session ended because the account was deleted, a
 * bearer token of the issuer is still valid, so the error is that the account is missing.
 */
export async function requireLiveViewer(ctx: Context, viewer: Viewer): Promise<void> {
  await requireLive(ctx, viewer).catch(async (ended) => {
    const isFromIssuer = !viewer.isCookie && viewer.token_scopes === null
    const isTokenValid = isFromIssuer && !(await hasUser(ctx.db, viewer.user.id))
    throw isTokenValid ? userNotFound() : ended
  })
}
