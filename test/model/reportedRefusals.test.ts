import { afterAll, expect, test } from 'vitest'
import { expectArticles, startArticlesThrough } from '../support/modelServers/articlesThrough.ts'
import { expectArticle, isCanary, LARGE, refusalsIn } from '../support/modelServers/outcome.ts'
import { outputLimits, parts, totalLimits } from '../support/modelServers/reported.ts'
import type { ServerRequest } from '../support/modelServers/rule.ts'

const writer = await startArticlesThrough({ OPENAI_REASONING_EFFORT: 'high' })
afterAll(() => writer.close())

const ALL = ['json_schema', 'max_completion_tokens', 'reasoning_effort', 'store', 'stream', 'stream_options', 'strict']

/**
 * Parameters of a request besides model and messages. After the client drops `max_completion_tokens` or `json_schema`,
 * it sends `max_tokens` or `json_object` instead.
 */
function partsOf({ model: _, messages: __, response_format: format, ...parts }: ServerRequest): string[] {
  const { strict } = format?.json_schema ?? {}
  return [...Object.keys(parts), ...(format ? [format.type] : []), ...(strict ? ['strict'] : [])].sort()
}

test.each(Object.entries(parts))(
  'leaves out the refused parameters and no others: %s',
  async (_, { rules, refusals, dropped }) => {
    const { first, last } = await expectArticles(writer, rules, {}, { refusals })
    const accepted = [first, last].flatMap(({ exchanges }) => exchanges).findLast((exchange) => !isCanary(exchange))
    const held = partsOf(accepted?.request ?? { model: '', messages: [] })
    expect(held.filter((part) => ALL.includes(part))).toEqual(ALL.filter((part) => !dropped.includes(part)))
  },
)

test.each(Object.entries(outputLimits))('lowers the output limit to the one in the error: %s', async (_, rule) => {
  const { last } = await expectArticles(writer, [rule], {}, { refusals: 1 })
  expect(last.exchanges.map(({ request }) => request.max_completion_tokens)).toEqual([8192])
})

test.each(Object.entries(totalLimits))('lowers the output limit to what the window leaves: %s', async (_, limited) => {
  const outcome = await writer.articleThrough([limited(30_000)], LARGE)
  expectArticle(outcome)
  expect(refusalsIn(outcome.exchanges)).toHaveLength(1)
  const room = outcome.exchanges.at(-1)?.request.max_completion_tokens ?? 0
  expect(room).toBeGreaterThan(15_000)
  expect(room).toBeLessThan(30_000)
})
