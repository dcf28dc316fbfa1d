import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { statusOf } from '../../errors.ts'
import { TooManyRequests } from '../../runtime/limits/limits.ts'
import { logFailure } from '../api/logFailure.ts'
import { problemOf } from '../api/problems.ts'
import { PAGE_HEADERS } from '../api/securityHeaders.ts'
import { INTERNAL_ERROR, sendAndLinger } from '../api/sendErrors.ts'
import { layout } from './layout.ts'
import type { Page, Visit } from './page.ts'
import { errorPage } from './views/error.ts'
import { anonymousVisit, liveVisit } from './visit.ts'

export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers of all pages. They depend on cookies, so no cache may keep them. */
export const pageHeaders = { ...PAGE_HEADERS, 'Content-Security-Policy': PAGE_POLICY, 'Cache-Control': 'no-store' }

export function sendPage(reply: FastifyReply, visit: Visit, page: Page): FastifyReply {
  const { status = 200 } = page
  const html = String(layout(visit, page))
  reply.code(status).type('text/html; charset=utf-8')
  return status === 413 ? sendAndLinger(reply, html) : reply.send(html)
}

/** Renders an error. The page leads back to the requested path, or to `path`. */
export async function sendErrorPage(
  ctx: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  path?: string,
): Promise<FastifyReply> {
  const problem = problemOf(error)
  reply.headers(pageHeaders).header('X-Request-Id', request.id)
  if (problem?.retryAfter !== undefined) reply.header('Retry-After', problem.retryAfter)
  const status = problem ? statusOf[problem.code] : 500
  const isAnonymous = status === 401 || error instanceof TooManyRequests
  const anonymous = () => anonymousVisit(ctx, request)
  const baseVisit = isAnonymous ? anonymous() : await liveVisit(ctx, request, reply).catch(anonymous)
  if (status >= 500) logFailure(request, error, problem ?? INTERNAL_ERROR)
  const visit = path === undefined ? baseVisit : { ...baseVisit, path }
  const code = problem?.code ?? 'INTERNAL_SERVER_ERROR'
  return sendPage(reply, visit, errorPage(visit, status, code, problem?.details))
}
