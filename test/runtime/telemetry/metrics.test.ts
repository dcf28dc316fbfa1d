import { expect, test } from 'vitest'
import { NO_USAGE } from '../../../src/model/call.ts'
import { createMetrics } from '../../../src/runtime/telemetry/metrics.ts'

const PRICES = { input: 2, output: 10, cached: 0.5, cacheWrite: 2.5 }

test.each([
  ['no cached tokens', { inputTokens: 1000 }, 0.002],
  ['some cached input tokens', { inputTokens: 1000, cachedTokens: 600, cacheWriteTokens: 200 }, 0.0012],
  ['cached input tokens only', { inputTokens: 1000, cachedTokens: 800, cacheWriteTokens: 200 }, 0.0009],
  ['cached tokens besides the input tokens', { inputTokens: 1000, cachedTokens: 2000 }, 0.003],
])('the cost of a call with %s', async (_, usage, expected) => {
  const metrics = createMetrics(PRICES)
  metrics.modelAnswered({ model: 'some', ...NO_USAGE, ...usage })
  const { text } = await metrics.print('text')
  const [, cost] = /^pullpress_model_cost_total\{model="some"\} (\S+)$/m.exec(text) ?? []
  expect(Number(cost)).toBeCloseTo(expected, 9)
})
