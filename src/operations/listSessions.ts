import { listSessionRows } from '../db/accounts/sessions.ts'
import { cursorAt, offsetOf } from '../lib/cursor.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const listSessions: Handler<'listSessions'> = async ({ query, viewer }, ctx) => {
  const { limit } = query
  const start = offsetOf(query)
  const rows = await listSessionRows(ctx.db, viewer, ctx.now())
  const sessions = rows.slice(start, start + limit).map((row) => ({
    id: row.id,
    userId: viewer.user.id,
    current: row.id === viewer.id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }))
  const nextCursor = cursorAt(start + limit, rows.length > start + limit)
  const { status, body } = reply(200, sessions, `${rows.length} session${rows.length === 1 ? '' : 's'}.`)
  return { status, body: { ...body, pagination: { limit, nextCursor } }, nextCursor }
}
