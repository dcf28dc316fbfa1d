import { afterAll, describe, expect, test } from 'vitest'
import { behaves } from '../support/fakeModel.ts'
import { anthropic } from '../support/modelServers/anthropic.ts'
import { expectArticles, startArticlesThrough } from '../support/modelServers/articlesThrough.ts'
import { fencesAnswers, ignoresFormats, llamaCpp, thinksAloud } from '../support/modelServers/llamaCpp.ts'
import { ollama } from '../support/modelServers/ollama.ts'
import { openAi } from '../support/modelServers/openai.ts'
import { openRouter } from '../support/modelServers/openRouter.ts'
import { expectArticle, LARGE, refusalsIn } from '../support/modelServers/outcome.ts'
import { countsNewTokens, prefixCache } from '../support/modelServers/prefixCache.ts'
import type { Rule } from '../support/modelServers/rule.ts'
import {
  noUsage,
  type Parameter,
  refuses,
  refusesValue,
  spends,
  tokenizer,
  unnamed,
  type Wording,
} from '../support/modelServers/single.ts'
import { inReasoningField, vllm } from '../support/modelServers/vllm.ts'
import { added } from '../support/pulls.ts'

const withDefaults = await startArticlesThrough()
const withEffort = await startArticlesThrough({ OPENAI_REASONING_EFFORT: 'high' })
afterAll(async () => {
  await withDefaults.close()
  await withEffort.close()
})

interface Server {
  rules: () => Rule[]
  /** The wording with which servers of this kind refuse a parameter. */
  wording: Wording
  /** Number of requests that these rules refuse before an article is written. Default: 0. */
  refusals?: number
  /** Parameters that such a server never refuses by name. */
  accepts?: Parameter[]
}

/** Kinds of servers. Their context windows are large enough for the prompts of these tests. */
const servers: Record<string, Server> = {
  OpenAI: { rules: openAi, wording: 'openAiNamed', accepts: ['max_completion_tokens'] },
  Anthropic: { rules: anthropic, wording: 'plain' },
  Ollama: { rules: () => ollama({ window: 131_072 }), wording: 'text' },
  vLLM: { rules: vllm, wording: 'fastApi' },
  'vLLM without unknown parameters': {
    rules: () => vllm({ forbidsUnknown: true }),
    wording: 'vllm',
    refusals: 1,
    accepts: ['store'],
  },
  // These rules refuse schemas anyway, so a refusal of `strict` or `response_format` is not tested.
  OpenRouter: { rules: openRouter, wording: 'openAi', refusals: 1, accepts: ['strict', 'response_format'] },
  'llama.cpp': { rules: () => llamaCpp({ ignoresFormat: false }), wording: 'unsupported' },
  'llama.cpp that ignores formats': { rules: llamaCpp, wording: 'text' },
}

const PARAMETERS: Parameter[] = [
  ...(['store', 'strict', 'response_format', 'stream', 'stream_options', 'max_completion_tokens'] as const),
]
const IN_PARTS = { files: ['a', 'b', 'c'].map((name) => added(`src/${name}.ts`, 500)), tokensPerCall: 12_000 }
/** How often a parameter is refused, if more than once: two response formats are tried one after the other. */
const REFUSALS_OF: Partial<Record<Parameter, number>> = { response_format: 2 }

describe.each(Object.entries(servers))('with a server like %s', (_, { rules, wording, refusals = 0, accepts = [] }) => {
  test('writes an article and translates it', async () => {
    const { last } = await expectArticles(withDefaults, rules(), {}, { refusals })
    const translated = await withDefaults.translated(last, 'en')
    expectArticle(translated)
    expect(translated.article.lead?.text).toMatch(/^This change reworks/)
    expect(translated.article.lead?.evidence).toEqual(last.article.lead?.evidence)
    expect(refusalsIn(translated.exchanges)).toEqual([])
  })

  test('writes an article from notes', async () => {
    const { first } = await expectArticles(withDefaults, rules(), IN_PARTS, { callsAtOnce: 4 })
    expect(first.article.generator.calls).toBeGreaterThan(2)
  })

  test('repairs an article', async () => {
    const tooLong = behaves.changed((good) => ({ ...good, aiGeneratedTitle: '長'.repeat(61) }))
    await expectArticles(withDefaults, rules(), { answers: [tooLong] }, { refusals })
  })

  test('writes an article with a reasoning effort', async () => {
    await expectArticles(withEffort, rules(), {}, { refusals })
  })

  test.each([0.6, 1.6])('writes an article if the server counts %d times our tokens', async (factor) => {
    await expectArticles(withDefaults, [...rules(), tokenizer(factor)], LARGE, { refusals })
  })

  test('writes an article if the server sends no token counts', async () => {
    await expectArticles(withDefaults, [...rules(), noUsage()], LARGE, { refusals })
  })

  test('writes an article if the server counts only tokens that are not cached', async () => {
    await expectArticles(withDefaults, [...rules(), countsNewTokens()], LARGE, { refusals })
    expectArticle(await withDefaults.ask(LARGE))
  })

  test.each([true, false])(
    'writes articles if the output limit is refused (error names the limit: %s)',
    async (namesLimit) => {
      const limited = [...rules(), refusesValue(16_384, { namesLimit })]
      await expectArticles(withDefaults, limited, {}, { refusals: refusals + 1 })
    },
  )

  test('writes an article if reasoning uses up a small output limit', async () => {
    const spending = [...rules(), spends(), refusesValue(16_384)]
    await expectArticles(withDefaults, spending, {}, { refusals: refusals + 1 })
  })

  test.each(PARAMETERS.filter((name) => !accepts.includes(name)))('writes articles if %s is refused', async (name) => {
    const refusing = [refuses(name, wording), ...rules()]
    await expectArticles(withDefaults, refusing, {}, { refusals: refusals + (REFUSALS_OF[name] ?? 1) })
  })

  test('writes an article if the server refuses the reasoning effort', async () => {
    const refusing = [refuses('reasoning_effort', wording), ...rules()]
    await expectArticles(withEffort, refusing, {}, { refusals: refusals + 1 })
  })

  test('writes an article if the server refuses three parameters, sends no token counts and counts 1.6 times our tokens', async () => {
    const refused: Parameter[] = ['stream_options', 'reasoning_effort', 'store']
    const refusing = [refuses(refused, wording), ...rules(), tokenizer(1.6), noUsage()]
    await expectArticles(withEffort, refusing, LARGE, { refusals: 3 + (accepts.includes('store') ? 0 : refusals) })
  })
})

/** Single rules by name, each with the number of requests that it refuses before an article is written. */
const alone: Record<string, [rules: () => Rule[], refusals: number]> = {
  'nothing special': [() => [tokenizer(1)], 0],
  'a reasoning field': [() => [inReasoningField('reasoning')], 0],
  'formats that are ignored': [() => [ignoresFormats()], 0],
  fences: [() => [fencesAnswers()], 0],
  'thoughts before the answer': [() => [thinksAloud()], 0],
  'a cache': [() => [prefixCache()], 0],
  'new tokens only, with the cached ones': [() => [countsNewTokens({ tellsCached: true })], 0],
  'a window that also holds the answer': [() => vllm({ window: 30_000 }), 1],
  'a small output limit': [() => [refusesValue(4096)], 1],
  'no formats, without a reason': [() => [unnamed(({ response_format: format }) => format !== undefined)], 1],
  'no streams, without a reason': [() => [unnamed(({ stream }) => stream === true)], 2],
  'no store, with the reason hidden': [() => [refuses('store'), ...openRouter({ hidesErrors: true })], 2],
}

test.each(Object.entries(alone))('writes an article through a server with %s', async (_, [rules, refusals]) => {
  const outcome = await withDefaults.articleThrough(rules())
  expectArticle(outcome)
  expect(refusalsIn(outcome.exchanges)).toHaveLength(refusals)
})
