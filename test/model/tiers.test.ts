import { afterAll, expect, test } from 'vitest'
import { anthropic } from '../support/modelServers/anthropic.ts'
import { startArticlesThrough } from '../support/modelServers/articlesThrough.ts'
import { llamaCpp } from '../support/modelServers/llamaCpp.ts'
import { ollama } from '../support/modelServers/ollama.ts'
import { openAi } from '../support/modelServers/openai.ts'
import { openRouter } from '../support/modelServers/openRouter.ts'
import { expectArticle, refusalsIn } from '../support/modelServers/outcome.ts'
import { type Rule, refusal } from '../support/modelServers/rule.ts'
import { flexBusy, noUsage, refuses, tokenizer, type Wording, wordings } from '../support/modelServers/single.ts'
import { vllm } from '../support/modelServers/vllm.ts'
import { added } from '../support/pulls.ts'

const TIER = 'flex'
const writer = await startArticlesThrough({ OPENAI_SERVICE_TIER: TIER, OPENAI_REASONING_EFFORT: 'low' })
afterAll(() => writer.close())

/** Writes two automatic articles. The second one shows what the client learned about the server from the first. */
async function automaticArticles(rules: Rule[]) {
  const setting = { files: [added('src/part.ts', 40)] }
  const outcomes = [await writer.articleThrough(rules, setting, TIER), await writer.ask(setting, TIER)]
  for (const outcome of outcomes) expectArticle(outcome)
  const exchanges = outcomes.flatMap((outcome) => outcome.exchanges)
  return { exchanges, tiers: exchanges.map(({ request }) => request.service_tier) }
}

const servers: Record<string, [rules: () => Rule[], refusals: number]> = {
  OpenAI: [openAi, 0],
  Anthropic: [anthropic, 0],
  Ollama: [() => ollama({ window: 131_072 }), 0],
  vLLM: [vllm, 0],
  'vLLM without unknown parameters': [() => vllm({ forbidsUnknown: true }), 2],
  OpenRouter: [openRouter, 1],
  'llama.cpp': [() => llamaCpp({ ignoresFormat: false }), 0],
}

test.each(Object.entries(servers))('requests the service tier from a server like %s', async (_, [rules, refusals]) => {
  const { exchanges } = await automaticArticles(rules())
  expect(exchanges[0]?.request.service_tier).toBe('flex')
  expect(refusalsIn(exchanges)).toHaveLength(refusals)
})

test.each(Object.keys(wordings) as Wording[])(
  'after one refusal that names the service tier (%s), leaves out only the tier',
  async (wording) => {
    const { exchanges, tiers } = await automaticArticles([refuses('service_tier', wording), tokenizer(1.6), noUsage()])
    expect(refusalsIn(exchanges)).toHaveLength(1)
    expect(new Set(tiers.slice(1))).toEqual(new Set([undefined]))
    expect(exchanges.at(-1)?.request).toMatchObject({ reasoning_effort: 'low', store: false, stream: true })
  },
)

test('leaves out a service tier that the account may not use', async () => {
  const unsupported: Rule = {
    refuse: ({ service_tier: tier }) => (tier === 'flex' ? refusal('Unsupported service_tier: flex') : undefined),
  }
  const { exchanges } = await automaticArticles([unsupported])
  expect(refusalsIn(exchanges)).toHaveLength(1)
})

test.each(Object.entries(servers))('uses the normal tier while the flex tier is busy: %s', async (_, [rules]) => {
  const { exchanges } = await automaticArticles([flexBusy(), ...rules()])
  const busy = exchanges.filter(({ refused }) => refused?.startsWith('Resource unavailable'))
  // Each of the two articles tries the flex tier first.
  expect(busy).toHaveLength(2)
})
