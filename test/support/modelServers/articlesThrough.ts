import { expect } from 'vitest'
import { withFallback } from '../../../src/domain/articles/composeWithModel.ts'
import { problemOf } from '../../../src/domain/articles/worker.ts'
import { createModel } from '../../../src/model/model.ts'
import { type ModelConfig, readConfig } from '../../../src/runtime/config/config.ts'
import { withAddresses } from '../../../src/writer/content.ts'
import { openModelBudget } from '../../../src/writer/modelBudget.ts'
import { type RunStep, steps } from '../../../src/writer/steps/index.ts'
import { translate } from '../../../src/writer/translate.ts'
import { write } from '../../../src/writer/write.ts'
import { startFakeModel } from '../fakeModel.ts'
import {
  expectArticle,
  type Failure,
  type Outcome,
  refusalsIn,
  type Setting,
  SMALL,
  type WrittenArticle,
} from './outcome.ts'
import type { Rule } from './rule.ts'
import { type StoredPull, storedPull } from './storedPull.ts'

/** Runs steps on the event loop. */
const run: RunStep = async (name, input) => {
  // biome-ignore lint/suspicious/noExplicitAny: the type of RunStep ties each result to the name of its step
  const step = steps[name] as (given: typeof input) => any
  return step(input)
}
const unlimited = { reserve: async () => true, settle: async () => {} }

/**
 * Writes articles with the writer and the model client, over HTTP. Each article can set other rules for the model
 * server.
 */
export async function startArticlesThrough(env: Record<string, string> = {}) {
  const server = await startFakeModel()
  const configured = configOf({ ...server.env, ...env })
  const client = createModel(configured, { answered() {}, failed() {} })
  const preparedPulls = preparing()
  let config = configured
  let servers = 0
  let pulls = 0

  /**
   * Sets the rules of the server and gives its models new names: the client remembers by model name what it learned.
   */
  async function keepTo(rules: Rule[], { hasFallback = false, tokensPerCall }: Setting = {}): Promise<void> {
    servers += 1
    pulls = 0
    const names = [`model-${servers}`, ...(hasFallback ? [`fallback-${servers}`] : [])]
    config = { ...configured, names, tokensPerCall: tokensPerCall ?? configured.tokensPerCall }
    await server.keepTo(rules)
    server.always(undefined)
  }

  function openBudget(tier?: string) {
    const signal = new AbortController().signal
    const watching = { onAnswered: async () => {}, onUnavailable: async () => {}, pause: async () => {} }
    const means = { ask: client.ask, config, tier, now: () => new Date(), dailyTokens: unlimited, signal }
    return openModelBudget({ ...means, ...watching, countTokens: (text) => run('countTokens', text) })
  }

  async function outcomeOf(work: () => Promise<WrittenArticle>): Promise<Outcome> {
    const before = server.exchanges.length
    try {
      return { article: await work(), failure: undefined, exchanges: server.exchanges.slice(before) }
    } catch (error) {
      return { article: undefined, failure: failureOf(error), exchanges: server.exchanges.slice(before) }
    }
  }

  /** Writes an article about another pull request. `tier` is the processing tier to try first. */
  async function ask(setting: Setting = {}, tier?: string): Promise<Outcome> {
    const { files = SMALL, language = 'ja', answers = [] } = setting
    pulls += 1
    const { pull, prepared } = await preparedPulls({ files, number: pulls, language, config })
    server.next(...answers)
    const budget = openBudget(tier)
    const kept = new Map()
    return outcomeOf(() =>
      withFallback(config.names, async (model) => {
        const means = { run, ask: budget.asking(model), limits: config, report: async () => {}, kept }
        const { draft } = await write(prepared, { language, hostPrUrl: pull.hostPrUrl }, means)
        return { ...withAddresses(draft, pull), generator: { model, ...budget.spent } }
      }),
    )
  }

  return {
    server,
    ask,
    /** Writes the first article with a server that has these rules. */
    async articleThrough(rules: Rule[], setting: Setting = {}, tier?: string): Promise<Outcome> {
      await keepTo(rules, setting)
      return ask(setting, tier)
    },
    /** Translates the article into another language. */
    async translated({ article: written }: Outcome, language: string): Promise<Outcome> {
      if (!written) throw new TypeError('There is nothing to translate.')
      const { generator: _, ...article } = written
      const { tokensPerCall, names } = config
      const prepared = await run('prepareTranslation', { article, language, tokensPerCall })
      if (!prepared) throw new Error('The article does not fit one call.')
      const budget = openBudget()
      return outcomeOf(() =>
        withFallback(names, async (model) => {
          const means = { run, ask: budget.asking(model), onProgress: async () => {} }
          const text = { language, hostPrUrl: storedPull(SMALL, 1).hostPrUrl }
          return { ...(await translate(article, prepared, text, means)), generator: { model, ...budget.spent } }
        }),
      )
    },
    async close(): Promise<void> {
      await client.close()
      await server.close()
    },
  }
}

export type ArticlesThrough = Awaited<ReturnType<typeof startArticlesThrough>>

function configOf(env: Record<string, string>): ModelConfig {
  const { model } = readConfig(env)
  if (!model) throw new Error('No model is configured.')
  return model
}

/** Returns a function that prepares pull requests, each only once for the same limits. */
function preparing() {
  const known = new Map<string, Promise<{ pull: StoredPull; prepared: Awaited<ReturnType<typeof steps.prepare>> }>>()
  interface Wanted {
    files: NonNullable<Setting['files']>
    number: number
    language: string
    config: ModelConfig
  }
  return ({ files, number, language, config }: Wanted) => {
    const { tokensPerCall, callsPerArticle, tokensPerArticle } = config
    const limits = { tokensPerCall, callsPerArticle, tokensPerArticle }
    const key = JSON.stringify([files, number, language, limits])
    const prepare = async () => {
      const pull = storedPull(files, number)
      return { pull, prepared: await run('prepare', { document: pull.document, language, limits }) }
    }
    const pending = known.get(key) ?? prepare()
    known.set(key, pending)
    return pending
  }
}

/**
 * The failure as the service stores and logs it. Rethrows other errors: they are faults of the test or of the writer.
 */
function failureOf(error: unknown): Failure {
  const problem = problemOf(error)
  if (!problem || !(error instanceof Error)) throw error
  const { code, details, message } = problem
  return { code, reason: details?.reason, message, error }
}

interface Expected {
  /** The number of requests for the first article that the server must refuse. Default: any number. */
  refusals?: number
  /** How often the server may send the same refusal: all calls that run at the same time may receive it. */
  callsAtOnce?: number
}

/**
 * Expects that the server repeats no refusal for the first article and refuses no request for a second one, and that no
 * text of the two comes from a cut prompt.
 */
export async function expectArticles(
  writer: ArticlesThrough,
  rules: Rule[],
  setting: Setting = {},
  { refusals, callsAtOnce = 1 }: Expected = {},
) {
  const first = await writer.articleThrough(rules, setting)
  expectArticle(first)
  const refused = refusalsIn(first.exchanges)
  const times = refused.map((one) => refused.filter((other) => other === one).length)
  expect(Math.max(0, ...times), `refused again: ${refused.join('\n')}`).toBeLessThanOrEqual(callsAtOnce)
  if (refusals !== undefined) expect(refused).toHaveLength(refusals)
  if (refused.length === 0) return { first, last: first }
  const last = await writer.ask({ ...setting, answers: [] })
  expectArticle(last)
  expect(refusalsIn(last.exchanges), 'refused although known').toEqual([])
  return { first, last }
}
