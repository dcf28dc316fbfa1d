import { afterAll, describe, expect, test } from 'vitest'
import { mapped } from '../../src/model/schema.ts'
import { startArticlesThrough } from '../support/modelServers/articlesThrough.ts'
import { llamaCpp } from '../support/modelServers/llamaCpp.ts'
import { openAi } from '../support/modelServers/openai.ts'
import { unknownModel } from '../support/modelServers/openRouter.ts'
import { expectArticle, LARGE, summaryOf, toldBy } from '../support/modelServers/outcome.ts'
import * as reported from '../support/modelServers/reported.ts'
import type { Rule } from '../support/modelServers/rule.ts'
import { flagged, promptTooLong, unnamed } from '../support/modelServers/single.ts'
import { vllm } from '../support/modelServers/vllm.ts'

const writer = await startArticlesThrough()
afterAll(() => writer.close())

interface Failing {
  rules: () => Rule[]
  code?: string
  reason?: string
  /** Patterns that the error for the caller or the log must match. */
  told: RegExp[]
  /** Expected number of requests to each model. */
  requests: number
}

const flaggedBy = (rule: Rule): Failing => ({ rules: () => [rule], told: [/refused/], requests: 1 })
/** A prompt that is too long: the error names the window and the variable to lower. */
const tooLong = (rules: Rule[], window: number): Failing => ({
  ...{ rules: () => rules, reason: 'model_window_too_small', requests: 1 },
  told: [new RegExp(` ${window} tokens`), /MODEL_TOKENS_PER_CALL/],
})

const failing: Record<string, Failing> = {
  'refuses without a reason': { rules: () => [unnamed()], told: [/refused/, /400/], requests: 4 },
  'does not know the model': {
    rules: () => [unknownModel()],
    code: 'MODEL_UNAVAILABLE',
    told: [/OPENAI_MODEL/],
    requests: 1,
  },
  'flags (OpenAI)': flaggedBy(flagged('invalid_prompt')),
  'filters (OpenAI)': flaggedBy(flagged('content_filter')),
  ...prefixed('flags', mapped(reported.flags, flaggedBy)),
  'finds the prompt too long (OpenAI)': tooLong([...openAi(), promptTooLong(2000)], 2000),
  'finds the prompt too long (vLLM)': tooLong(vllm({ window: 2000 }), 2000),
  'has no room for an answer (vLLM)': tooLong(vllm({ window: 9000 }), 9000),
  'finds the prompt too long (older llama.cpp)': tooLong(llamaCpp({ window: 2048 }), 2048),
  ...prefixed(
    'finds the prompt too long',
    mapped(reported.promptLimits, (limited) => tooLong([limited(2000)], 2000)),
  ),
}

function prefixed<T>(prefix: string, cases: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(cases).map(([name, value]) => [`${prefix} (${name})`, value]))
}

describe.each(Object.entries(failing))('a server that %s', (_, { rules, code, reason, told, requests }) => {
  test.each([false, true])('fails the article and reports why (with a fallback model: %s)', async (hasFallback) => {
    const outcome = await writer.articleThrough(rules(), { ...LARGE, hasFallback })
    const { failure, exchanges } = outcome
    const sent = exchanges.map(summaryOf).join('\n')
    expect([failure?.code, failure?.reason], sent).toEqual([code ?? 'GENERATION_FAILED', reason])
    for (const words of told) expect(toldBy(outcome)).toMatch(words)
    expect(exchanges.length, sent).toBe(requests * (hasFallback ? 2 : 1))
  })

  test('the fallback model writes the article if the server does so only for the first model', async () => {
    const outcome = await writer.articleThrough(rules().map(forFirst), { ...LARGE, hasFallback: true })
    expectArticle(outcome)
    expect(outcome.article.generator.model).toMatch(/^fallback-/)
  })
})

/** Applies a rule only to requests for the first model. */
function forFirst(rule: Rule): Rule {
  const isMeant = ({ model }: { model: string }) => model.startsWith('model-')
  const { refuse, read, reply } = rule
  return {
    ...rule,
    ...(refuse && { refuse: (request, ...more) => (isMeant(request) ? refuse(request, ...more) : undefined) }),
    ...(read && { read: (reading, ...more) => (isMeant(reading.request) ? read(reading, ...more) : reading) }),
    ...(reply && {
      reply: (said, reading, ...more) => (isMeant(reading.request) ? reply(said, reading, ...more) : said),
    }),
  }
}
