import { createHmac } from 'node:crypto'
import type { Ask } from './client.ts'

export const WEBHOOK_SECRET = 'webhook-secret-0123456789abcdef'

export function signatureOf(text: string, secret = WEBHOOK_SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
}

export function webhookHeaders(event: string, text: string, secret = WEBHOOK_SECRET): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': crypto.randomUUID(),
    'x-hub-signature-256': signatureOf(text, secret),
  }
}

/** A signed webhook delivery, as an argument of `call`. */
export function deliveryOf(event: string, body: unknown, secret = WEBHOOK_SECRET): Ask {
  return { body, headers: webhookHeaders(event, JSON.stringify(body), secret) }
}
