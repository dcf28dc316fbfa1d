import type { Context } from '../../context.ts'
import { isLive } from '../../db/accounts/sessions.ts'
import { hasUser } from '../../db/accounts/users.ts'
import { unauthenticated, userNotFound } from './problems.ts'
import type { Session, Viewer } from './session.ts'

/** For requests that have waited: the session may have ended meanwhile, on this node or another. */
export async function requireLive(ctx: Context, { id }: Session): Promise<void> {
  if (!(await isLive(ctx.db, id, ctx.now()))) throw unauthenticated('This session has ended.')
}

/** As `requireLive`, for operations that need an account: a token is still valid if its session ended with the account. */
export async function requireLiveViewer(ctx: Context, viewer: Viewer): Promise<void> {
  await requireLive(ctx, viewer).catch(async (ended) => {
    const isTokenValid = !viewer.isCookie && !(await hasUser(ctx.db, viewer.user.id))
    throw isTokenValid ? userNotFound() : ended
  })
}
