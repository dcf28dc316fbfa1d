import { usageOf } from '../domain/accounts/usage.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const getUsage: Handler<'getUsage'> = async ({ viewer }, ctx) =>
  reply(200, await usageOf(ctx, viewer), 'What you have used.')
