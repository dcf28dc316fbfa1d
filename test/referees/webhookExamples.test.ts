import { createRequire } from 'node:module'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'
import { WEBHOOK_SECRET, webhookHeaders } from '../support/webhooks.ts'

interface WebhookEvent {
  name: string
  examples: object[]
}

/** Collections by Octokit of the payloads that the public code host and its enterprise editions send. */
const EDITIONS = ['api.github.com', 'ghes-31', 'ghes-32', 'ghes-33', 'ghes-34', 'ghes-35']
const events = EDITIONS.flatMap((edition): WebhookEvent[] =>
  createRequire(import.meta.url)(`@octokit/webhooks-examples/${edition}/index.json`),
)

const service = await startService({ env: { WEBHOOK_SECRET } })
afterAll(() => service.close())

test('accepts every payload of the collections', async () => {
  const deliveries = events.flatMap(({ name, examples }) => examples.map((example) => ({ name, example })))
  expect(deliveries.length).toBeGreaterThan(600)
  const refused = []
  for (const { name, example } of deliveries) {
    const text = JSON.stringify(example)
    const { status } = await service.send('POST', '/webhooks/host', { body: text, headers: webhookHeaders(name, text) })
    if (status !== 202) refused.push({ name, status, text: text.slice(0, 200) })
  }
  expect(refused).toEqual([])
})
