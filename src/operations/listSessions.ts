import { listSessionRows } from '../db/accounts/sessions.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const listSessions: Handler<'listSessions'> = async ({ viewer }, ctx) => {
  const rows = await listSessionRows(ctx.db, viewer, ctx.now())
  const sessions = rows.map((row) => ({
    id: row.id,
    userId: viewer.user.id,
    current: row.id === viewer.id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }))
  return reply(200, sessions, `${sessions.length} session${sessions.length === 1 ? '' : 's'}.`)
}
