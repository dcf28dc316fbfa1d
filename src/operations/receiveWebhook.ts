import { hintOf } from '../host/webhooks.ts'
import { type Handler, reply } from '../http/handler.ts'
import { followHint, requireSignature } from '../webhooks/receive.ts'

export const receiveWebhook: Handler<'receiveWebhook'> = async ({ rawBody, headers }, ctx) => {
  await requireSignature(ctx, rawBody.text, headers)
  const hint = hintOf(headers, rawBody.parse())
  if (hint) await followHint(ctx, hint)
  return reply(202, { receivedAt: ctx.now().toISOString() }, 'Delivery received.')
}
