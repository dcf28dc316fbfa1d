import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { noAccountProblem } from '../../domain/accounts/maySignUp.ts'
import type { Session, Viewer } from '../../domain/accounts/session.ts'
import { requireScope } from '../../domain/accounts/tokenScopes.ts'
import { Problem } from '../../errors.ts'
import { loadOnce } from '../../lib/loadOnce.ts'
import { TooManyRequests } from '../../runtime/limits/limits.ts'
import { authErrorFirst } from '../api/bind.ts'
import { bearerCallerOf, requireStillLive } from '../api/identify.ts'
import { HANDLER_SECONDS, inTime } from '../api/inTime.ts'
import { limit } from '../api/limit.ts'
import { hasMoreValuesThan } from '../api/nesting.ts'
import { inRequestSlot, slotsOf } from '../api/requestSlot.ts'
import { publicOrigin, requireKnownOrigin, requireValidHost } from '../api/sameOrigin.ts'
import { MCP_PATH, sendError, toProblem } from '../api/sendErrors.ts'
import type { Exchange } from './exchange.ts'
import { requireTokenIfIssued, resourceMetadata } from './protectedResource.ts'
import { rpcError, rpcId } from './rpcError.ts'
import { createWaits } from './waits.ts'

/**
 * Requests with larger bodies count against the limit of reads before they are parsed. For smaller ones, the tool that
 * the body names determines the limit.
 */
const MAX_SMALL_BODY_BYTES = 16 * 1024
/** Limit of the values in a message, far more than any valid one has: the package takes microseconds for each value. */
const MAX_VALUES = 1000
/** Headers that are passed on to the package: those that the protocol defines. Others, such as the token, are not. */
const PASSED_ON = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

type Mcp = typeof import('./exchange.ts') & typeof import('./runTool.ts')

/** Loaded with the first request, because the package takes 30 MB and more than a tenth of a second. */
async function load(): Promise<Mcp> {
  return { ...(await import('./exchange.ts')), ...(await import('./runTool.ts')) }
}

/** Serves the Model Context Protocol over streamable HTTP, without MCP sessions. */
export function serveMcp(ctx: Context) {
  const loadMcp = loadOnce(load)
  const waits = createWaits()

  async function answer(mcp: Mcp, message: object, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const authenticatedAt = performance.now()
    const session = (await request.caller?.session()) ?? null
    // The client may have disconnected while its token was checked.
    if (reply.raw.destroyed) return reply
    const exchange = openExchange(ctx, mcp, { message, session, authenticatedAt }, request)
    const key = session && keyOf(session, message)
    if (key && isCancellation(message)) waits.cancel(key)
    const forget = key && mcp.isWaiting(message) ? waits.add(key, exchange) : undefined
    reply.raw.once('close', () => {
      forget?.()
      exchange.close()
    })
    return sendResponse(reply, await exchange.response)
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(async (error, request, reply) =>
      sendError(
        await authErrorFirst(error, request),
        request,
        reply,
        (problem) => rpcError(problem, request),
        resourceMetadata(ctx, request),
      ),
    )
    app.post(MCP_PATH, {
      async onRequest(request, reply) {
        request.operationId = 'mcp'
        reply.header('Cache-Control', 'no-store')
        requireKnownOrigin(ctx, request)
        requireValidHost(ctx, request)
        request.caller = bearerCallerOf(ctx, request)
        if (!isSmall(request)) await limit(ctx, reply, 'reads', request.caller.credential)
      },
      async handler(request, reply) {
        const message = requireMessage(request.body)
        const mcp = await loadMcp()
        // Counted before it takes a slot, so that a message over the limit does not delay others.
        const refused = await countMessage(ctx, mcp, message, request, reply)
        if (refused) return refused
        if (mcp.calledTool(message)?.needsUser) requireTokenIfIssued(ctx, request)
        if (mcp.isWaiting(message)) return answer(mcp, message, request, reply)
        return inRequestSlot(slotsOf(ctx).messages, reply, () => answer(mcp, message, request, reply))
      },
    })
  }
}

function isSmall({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= MAX_SMALL_BODY_BYTES
}

function requireMessage(body: unknown): object {
  if (Array.isArray(body)) throw new Problem('VALIDATION_ERROR', 'Send one message at a time, not an array.')
  if (typeof body !== 'object' || body === null)
    throw new Problem('VALIDATION_ERROR', 'The body must be a JSON-RPC message.')
  if (hasMoreValuesThan(MAX_VALUES, body)) throw new Problem('VALIDATION_ERROR', 'The message has too many values.')
  return body
}

/**
 * Counts a message against its rate limit. If a tool call exceeds the limit, returns the error as the result of the
 * tool, because models see only results; for other messages, throws it.
 */
async function countMessage(ctx: Context, mcp: Mcp, message: object, request: FastifyRequest, reply: FastifyReply) {
  const tool = mcp.calledTool(message)
  const cost = tool?.cost(mcp.argumentsOf(message)) ?? 'reads'
  if (cost === 'reads' && !isSmall(request)) return undefined
  return limit(ctx, reply, cost, request.caller?.credential).then(
    () => undefined,
    (error: unknown) => {
      const id = rpcId(message)
      if (!tool || id === null || !(error instanceof TooManyRequests)) throw error
      // Protocol versions since 2026-07-28 require `resultType`, and earlier ones allow it.
      const result = { resultType: 'complete', ...mcp.toErrorResult(error, request.id) }
      return { jsonrpc: '2.0', id, result }
    },
  )
}

interface Authorized {
  message: object
  session: Session | null
  authenticatedAt: number
}

function openExchange(
  ctx: Context,
  mcp: Mcp,
  { message, session, authenticatedAt }: Authorized,
  request: FastifyRequest,
): Exchange {
  const viewer = session?.user ? (session as Viewer) : undefined
  const caller = { viewer, isIdentified: session !== null, origin: publicOrigin(ctx, request) }
  const headers = PASSED_ON.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  const callTool: Parameters<Mcp['openExchange']>[2]['callTool'] = async (tool, input, call) => {
    try {
      if (tool.needsUser && session?.user === null) throw await noAccountProblem(ctx, session)
      if (session) requireScope(session, tool.annotations.readOnlyHint ? 'read' : 'write')
      const result = await inTime(
        tool.seconds ?? HANDLER_SECONDS,
        mcp.runTool(ctx, tool, input, { ...caller, ...call }),
      )
      if (session) await requireStillLive(ctx, { elapsedTime: performance.now() - authenticatedAt }, session)
      return result
    } catch (error) {
      return mcp.toErrorResult(toProblem(error, request), request.id)
    }
  }
  return mcp.openExchange(message, Object.fromEntries(headers), { callTool, now: ctx.now() })
}

/** The key of a tool call: made of its own message id or, for a cancellation, of the id that the cancellation names. */
function keyOf(session: Session, message: object): string {
  const { id, params } = message as { id?: unknown; params?: { requestId?: unknown } }
  return `${session.id} ${JSON.stringify(isCancellation(message) ? params?.requestId : id)}`
}

function isCancellation(message: object): boolean {
  return (message as { method?: unknown }).method === 'notifications/cancelled'
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status)
  const type = response.headers.get('content-type')
  if (!response.body || !type) return reply.send()
  reply.header('Content-Type', type)
  if (!type.startsWith('text/event-stream')) return reply.send(await response.text())
  return reply.header('X-Accel-Buffering', 'no').send(Readable.fromWeb(response.body as ReadableStream))
}
