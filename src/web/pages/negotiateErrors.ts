import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { Context } from '../../context.ts'
import { limit } from '../api/limit.ts'
import { methodsAt, sendError } from '../api/sendErrors.ts'
import { addVary } from '../api/vary.ts'
import { sendErrorPage } from './sendPage.ts'
import { cookieOf } from './visit.ts'

/** The page that error pages outside `/read` link to: the requested path may be a secret feed URL, or may not exist. */
const FRONT_PAGE = '/read'

/** Sends an error as a page to browsers, otherwise as JSON. */
export async function sendErrorOrPage(
  ctx: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!prefersPage(request)) return sendError(error, request, addVary(reply, 'Accept'))
  return sendErrorPage(ctx, error, request, addVary(reply, 'Accept', 'Accept-Language', 'Cookie'), FRONT_PAGE)
}

/** Sends an error for a request that no route serves, as a page or as JSON; paths of the contract always get JSON. */
export async function sendUnrouted(
  ctx: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (ctx.config.role === 'worker' || methodsAt(request)) return sendError(error, request, reply)
  if (!prefersPage(request)) return sendErrorOrPage(ctx, error, request, reply)
  // Counted, because an error page, unlike JSON, takes a query for the session.
  const refusal = await limit(ctx, reply, 'reads', cookieOf(ctx, request)).catch((refused: unknown) => refused)
  return sendErrorOrPage(ctx, refusal ?? error, request, reply)
}

/** Whether HTML is preferred to the other formats of our responses. */
function prefersPage({ raw }: FastifyRequest): boolean {
  const types = ['application/json', 'application/atom+xml', 'application/xml', 'text/html']
  return new Negotiator(raw).mediaType(types) === 'text/html'
}
