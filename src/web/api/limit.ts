import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { type Credential, tokenKeys } from '../../domain/accounts/credential.ts'
import { type Cost, type RateLimitState, TooManyRequests, WINDOW_SECONDS } from '../../runtime/limits/limits.ts'

/** Counts a request against its rate limit and sets the `RateLimit` headers. */
export async function limit(
  ctx: Context,
  reply: FastifyReply,
  cost: Cost,
  credential: Credential | null | undefined,
): Promise<void> {
  if (!ctx.limits) return
  const token = credential ? tokenKeys(ctx, credential).token_hash : undefined
  try {
    setHeaders(reply, await ctx.limits.take(cost, reply.request.ip, token))
  } catch (error) {
    if (error instanceof TooManyRequests) setHeaders(reply, error.rateLimitState)
    throw error
  }
}

/** Sets three headers of earlier IETF drafts, which clients know, and the two structured ones of the current draft. */
function setHeaders(reply: FastifyReply, state: RateLimitState): void {
  const { cost, limit, remaining, resetSeconds } = state
  reply.headers({
    'RateLimit-Limit': limit,
    'RateLimit-Remaining': remaining,
    'RateLimit-Reset': resetSeconds,
    'RateLimit-Policy': `"${cost}";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"${cost}";r=${remaining};t=${resetSeconds}`,
  })
}

/** Remembers the user of a token, so that the next request with this token counts against that user. */
export function rememberTokenOwner(ctx: Context, { caller }: FastifyRequest, status: number): void {
  if (!ctx.limits || !caller?.credential) return
  if (caller.userId) ctx.limits.setOwner(tokenKeys(ctx, caller.credential).token_hash, caller.userId)
  else if (status === 401) ctx.limits.forgetOwner(tokenKeys(ctx, caller.credential).token_hash)
}
