import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { unauthenticated } from '../../domain/accounts/problems.ts'
import { limit } from '../api/limit.ts'
import { cacheControl, publicOrigin, requireValidHost } from '../api/sameOrigin.ts'
import { MCP_PATH } from '../api/sendErrors.ts'

const METADATA_PATH = '/.well-known/oauth-protected-resource'
const CACHE_SECONDS = 300

/**
 * Tells MCP clients where users sign in, as RFC 9728 defines it. Not served without an OpenID Connect issuer: users
 * then get their tokens from the code host, not through this service.
 */
export function serveProtectedResource(ctx: Context) {
  return async (app: FastifyInstance): Promise<void> => {
    const { oidc } = ctx.config
    if (!oidc) return
    const send = (request: FastifyRequest, reply: FastifyReply) =>
      reply.header('Cache-Control', cacheControl(ctx, CACHE_SECONDS)).send({
        resource: publicOrigin(ctx, request) + MCP_PATH,
        resource_name: 'Pullpress',
        authorization_servers: [oidc.issuer],
        bearer_methods_supported: ['header'],
      })
    app.addHook('preHandler', async (request, reply) => {
      requireValidHost(ctx, request)
      await limit(ctx, reply, 'reads', null)
    })
    // RFC 9728 derives the second path from that of the resource. Some clients know only the first.
    for (const path of [METADATA_PATH, METADATA_PATH + MCP_PATH]) app.get(path, send)
  }
}

/**
 * Throws an error that is sent with status 401, so that the client starts signing in; an error as the result of a tool
 * would not do that. Without an issuer no user could sign in, so models get the error as a result instead.
 */
export function requireTokenIfIssued({ config }: Context, { caller }: FastifyRequest): void {
  if (config.oidc && !caller?.credential) throw unauthenticated('This tool requires a bearer token.')
}

/** The parameter of a challenge that starts signing in; empty if there is no issuer to sign in with. */
export function resourceMetadata(ctx: Context, request: FastifyRequest): string {
  return ctx.config.oidc ? `resource_metadata="${publicOrigin(ctx, request)}${METADATA_PATH}${MCP_PATH}"` : ''
}
