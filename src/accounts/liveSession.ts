import type { Context } from '../context.ts'
import { isLive } from '../db/accounts/sessions.ts'
import { unauthenticated } from './problems.ts'
import type { Session } from './session.ts'

/** For requests that have waited: the session may have ended meanwhile, on this node or another. */
export async function requireLive(ctx: Context, { id }: Session): Promise<void> {
  if (!(await isLive(ctx.db, id, ctx.now()))) throw unauthenticated('This session has ended.')
}
