import { afterAll, beforeEach, expect, test } from 'vitest'
import { at, merged, startWatchingService } from '../support/merges.ts'
import { anthropic } from '../support/modelServers/anthropic.ts'
import { refusalsIn, summaryOf } from '../support/modelServers/articlesThrough.ts'
import { llamaCpp } from '../support/modelServers/llamaCpp.ts'
import { ollama } from '../support/modelServers/ollama.ts'
import { openAi } from '../support/modelServers/openai.ts'
import { openRouter } from '../support/modelServers/openRouter.ts'
import { type Rule, refusal } from '../support/modelServers/rule.ts'
import { flexBusy, noUsage, refuses, tokenizer, type Wording, wordings } from '../support/modelServers/single.ts'
import { vllm } from '../support/modelServers/vllm.ts'
import { repositoryOf } from '../support/pulls.ts'

const MINUTE_MS = 60_000
const service = await startWatchingService({
  OPENAI_SERVICE_TIER: 'flex',
  OPENAI_REASONING_EFFORT: 'low',
  // One after the other, so that the second article shows what was learnt with the first.
  ARTICLES_AT_ONCE: '1',
  AUTOMATIC_ARTICLES_PER_DAY: '1000',
})
afterAll(() => service.close())
const { model, ctx } = service
const follower = await service.signedUp('follower')
beforeEach(async () => {
  await ctx.db.deleteFrom('breakers').execute()
})

let cases = 0

/** Two automatic articles through such a server. */
async function automaticArticles(rules: Rule[]) {
  cases += 1
  const name = `acme/merged-${cases}`
  const repository = repositoryOf(service, name, { pulls: [] })
  await model.keepTo(rules)
  if (ctx.config.model) ctx.config.model.names = [`model-${cases}`]
  await service.favorite(follower, name)
  await service.poll()
  const minute = Math.ceil((ctx.now().getTime() - Date.parse(at(0))) / MINUTE_MS)
  repository.pulls?.push(merged(1, minute + 1), merged(2, minute + 2))
  await service.pollDue()
  await service.settle()
  const { exchanges } = model
  const sent = exchanges.map(summaryOf).join('\n')
  expect(await service.statuses(name), sent).toEqual({ 1: 'written', 2: 'written' })
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

test.each(Object.entries(servers))('asks for the tier: %s', async (_, [rules, refusals]) => {
  const { exchanges } = await automaticArticles(rules())
  expect(exchanges[0]?.request.service_tier).toBe('flex')
  expect(refusalsIn(exchanges)).toHaveLength(refusals)
})

test.each(Object.keys(wordings) as Wording[])(
  'drops the tier alone, once, if it is refused by name (%s)',
  async (wording) => {
    const { exchanges, tiers } = await automaticArticles([refuses('service_tier', wording), tokenizer(1.6), noUsage()])
    expect(refusalsIn(exchanges)).toHaveLength(1)
    expect(new Set(tiers.slice(1))).toEqual(new Set([undefined]))
    expect(exchanges.at(-1)?.request).toMatchObject({ reasoning_effort: 'low', store: false, stream: true })
  },
)

test('drops a tier that the account may not use', async () => {
  const unsupported: Rule = {
    refuse: ({ service_tier: tier }) => (tier === 'flex' ? refusal('Unsupported service_tier: flex') : undefined),
  }
  const { exchanges } = await automaticArticles([unsupported])
  expect(refusalsIn(exchanges)).toHaveLength(1)
})

test.each(Object.entries(servers))('uses the normal tier while the other is busy: %s', async (_, [rules]) => {
  const { exchanges } = await automaticArticles([flexBusy(), ...rules()])
  const busy = exchanges.filter(({ refused }) => refused?.startsWith('Resource unavailable'))
  // Each article tries it again.
  expect(busy.length).toBeLessThanOrEqual(2)
})
