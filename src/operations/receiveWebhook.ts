import { hintOf } from '../host/webhooks.ts'
import { type Handler, reply } from '../http/handler.ts'
import { parseObject } from '../http/rawBody.ts'
import { followHint, readDelivery } from '../webhooks/receive.ts'

export const receiveWebhook: Handler<'receiveWebhook'> = async ({ rawBody, headers }, ctx) => {
  const text = await readDelivery(ctx, rawBody, headers)
  const hint = text === undefined ? undefined : hintOf(headers, parseObject(text))
  if (hint) await followHint(ctx, hint)
  return reply(202, { receivedAt: ctx.now().toISOString() }, 'Delivery received.')
}
