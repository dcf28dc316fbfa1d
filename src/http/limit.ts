import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Credential, hashesOf } from '../accounts/credential.ts'
import type { Context } from '../context.ts'
import { type Cost, type RateLimitState, TooMany } from '../limits/limits.ts'

/** Counts a request, and says how many are left. */
export async function limit(
  ctx: Context,
  reply: FastifyReply,
  cost: Cost,
  credential: Credential | null | undefined,
): Promise<void> {
  if (!ctx.limits) return
  const token = credential ? hashesOf(ctx, credential).token_hash : undefined
  try {
    tell(reply, await ctx.limits.take(cost, reply.request.ip, token))
  } catch (error) {
    if (error instanceof TooMany) tell(reply, error.rateLimitState)
    throw error
  }
}

function tell(reply: FastifyReply, { limit, remaining, resetSeconds }: RateLimitState): void {
  reply.headers({ 'RateLimit-Limit': limit, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': resetSeconds })
}

/** Whose a token turned out to be, for the next time. */
export function remember(ctx: Context, { identity }: FastifyRequest, status: number): void {
  if (!ctx.limits || !identity?.credential) return
  if (identity.userId) ctx.limits.isOf(hashesOf(ctx, identity.credential).token_hash, identity.userId)
  else if (status === 401) ctx.limits.isUnowned(hashesOf(ctx, identity.credential).token_hash)
}
