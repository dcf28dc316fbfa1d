import { followHint, readDelivery } from '../domain/webhooks/receive.ts'
import { hintOf } from '../host/webhooks.ts'
import { type Handler, reply } from '../web/api/handler.ts'
import { parseObject } from '../web/api/rawBody.ts'

export const receiveWebhook: Handler<'receiveWebhook'> = async ({ rawBody, headers }, ctx) => {
  const text = await readDelivery(ctx, rawBody, headers)
  const hint = text === undefined ? undefined : hintOf(headers, parseObject(text))
  if (hint) await followHint(ctx, hint)
  return reply(202, { receivedAt: ctx.now().toISOString() }, 'Delivery received.')
}
