import { afterAll, describe, expect, test } from 'vitest'
import { behaves } from '../support/fakeModel.ts'
import { startArticlesThrough } from '../support/modelServers/articlesThrough.ts'
import { ignoresFormats, llamaCpp } from '../support/modelServers/llamaCpp.ts'
import { dropsMessages, ollama } from '../support/modelServers/ollama.ts'
import {
  expectArticle,
  expectNothingCut,
  isCanary,
  LARGE,
  type Outcome,
  summaryOf,
  toldBy,
} from '../support/modelServers/outcome.ts'
import { countsNewTokens } from '../support/modelServers/prefixCache.ts'
import type { Rule } from '../support/modelServers/rule.ts'
import { noUsage, refuses, tokenizer } from '../support/modelServers/single.ts'

const writer = await startArticlesThrough()
afterAll(() => writer.close())

interface Cut {
  /** Approximate context window as a share of the prompt, both in tokens as the server counts them. */
  share: number
  rules?: () => Rule[]
  /** Whether the server reports token counts, from which the window is known. */
  isCounted?: boolean
  keepsHalf?: boolean
}

const cuts: Record<string, Cut> = {
  'half of the prompt': { share: 0.5 },
  'half, without token counts': { share: 0.5, rules: () => [noUsage()], isCounted: false },
  'half, with 1.6 times our tokens': { share: 0.5, rules: () => [tokenizer(1.6)] },
  'half, with 0.6 times our tokens': { share: 0.5, rules: () => [tokenizer(0.6)] },
  'half, with a count of new tokens only': { share: 0.5, rules: () => [countsNewTokens()] },
  'half, with formats ignored': { share: 0.5, rules: () => [ignoresFormats()] },
  'half, after a refusal of store': { share: 0.5, rules: () => [refuses('store', 'text')] },
  'a fifth': { share: 0.8 },
  'a tenth': { share: 0.9 },
  'a tenth, without token counts': { share: 0.9, rules: () => [noUsage()], isCounted: false },
  'a tenth, with 1.6 times our tokens': { share: 0.9, rules: () => [tokenizer(1.6)] },
  'more than half, as the window is a tenth too small': { share: 0.9, keepsHalf: true },
  'more than half of 1.6 times our tokens': { share: 0.98, keepsHalf: true, rules: () => [tokenizer(1.6)] },
}

describe.each([false, true])('a server that cuts prompts (keeps the system message: %s)', (keepsSystem) => {
  test.each(Object.entries(cuts))(
    'fails the article if the server cuts %s',
    async (_, { share, rules = () => [], isCounted = true, keepsHalf = false }) => {
      const measured = { tokens: 0 }
      expectArticle(await writer.articleThrough([...rules(), measures(measured)], LARGE))
      const window = windowNear(measured.tokens * share)
      const outcome = await expectTooSmall([...ollama({ window, keepsSystem, keepsHalf }), ...rules()])
      if (isCounted) expectWindow(outcome, keepsHalf ? window / 2 : window)
    },
  )

  test.each([4096, 8190, 8192])(
    'fails the article if the window has %d tokens and the server counts 1.6 times our tokens',
    async (window) => {
      expectWindow(await expectTooSmall([...ollama({ window, keepsSystem }), tokenizer(1.6)]), window)
    },
  )
})

test.each([4096, 8000])('fails the article if llama.cpp cuts the prompt to a window of %d tokens', async (window) => {
  await expectTooSmall(llamaCpp({ window, overflow: 'cut', ignoresFormat: false }))
})

test.each([false, true])(
  'omits an unrepaired reason if the server drops the diff in the repair turn (without token counts: %s)',
  async (isSilent) => {
    const bad = behaves.changed((good) => ({ ...good, reasons: [{ ...good.reasons?.[0], sources: [], evidence: [] }] }))
    const setting = { ...LARGE, answers: [bad] }
    const first = await writer.articleThrough([tokenizer(1)], setting)
    expectArticle(first)
    const [draft, repair] = first.exchanges.map(({ usage }) => usage?.prompt_tokens ?? 0)
    const window = Math.floor(((draft ?? 0) + (repair ?? 0)) / 2)
    const outcome = await writer.articleThrough([dropsMessages(window), ...(isSilent ? [noUsage()] : [])], setting)
    expect(outcome.exchanges.some(({ isCut, request }) => isCut && !isCanary({ request }))).toBe(true)
    expect(outcome.failure).toBeUndefined()
    // The repair turn repaired nothing, so the faulty reason is left out.
    expect(outcome.article?.reasons).toEqual([])
  },
)

test('the fallback model writes the article if the server cuts prompts for the first model', async () => {
  const [rule] = ollama()
  const outcome = await writer.articleThrough(
    [
      {
        read: (reading, counts) =>
          /^model-/.test(reading.request.model) ? (rule?.read?.(reading, counts) ?? reading) : reading,
      },
    ],
    { ...LARGE, hasFallback: true },
  )
  expectArticle(outcome)
  expect(outcome.article.generator.model).toMatch(/^fallback-/)
})

/**
 * Returns a multiple of 1,024 tokens, as most windows are. With another window, the client would not notice that a
 * prompt was cut to more than 70 %.
 */
function windowNear(tokens: number): number {
  return Math.floor(tokens / 1024) * 1024
}

/** Records the tokens of the last prompt that is not a canary. */
function measures(measured: { tokens: number }): Rule {
  return {
    read(reading, { countMessages }) {
      if (!isCanary(reading)) measured.tokens = countMessages(reading.messages)
      return reading
    },
  }
}

async function expectTooSmall(rules: Rule[]): Promise<Outcome> {
  const outcome = await writer.articleThrough(rules, LARGE)
  const sent = outcome.exchanges.map(summaryOf).join('\n')
  expect(
    outcome.exchanges.some(({ isCut }) => isCut),
    `nothing was cut: ${sent}`,
  ).toBe(true)
  expectNothingCut(outcome)
  expect([outcome.failure?.code, outcome.failure?.reason], sent).toEqual([
    'GENERATION_FAILED',
    'model_window_too_small',
  ])
  expect(toldBy(outcome)).toContain('MODEL_TOKENS_PER_CALL')
  return outcome
}

/** Expects the error to name this window, within 2 %, because a cut prompt has a few tokens less than the window. */
function expectWindow(outcome: Outcome, window: number): void {
  const named = Number(/holds (\d+) tokens/.exec(toldBy(outcome))?.[1])
  expect(Math.abs(named / window - 1), `${toldBy(outcome)} (of ${window})`).toBeLessThan(0.02)
}
