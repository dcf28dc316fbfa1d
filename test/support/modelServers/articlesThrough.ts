import { expect } from 'vitest'
import type { FakeFile } from '../../../scripts/fakeHost/fakeRepository.ts'
import { aPull, articlesOf, startWritingService } from '../articles.ts'
import type { Behaviour } from '../fakeModel.ts'
import { added, changed } from '../pulls.ts'
import type { Rule } from './rule.ts'
import type { Exchange } from './server.ts'

/** What an article needs besides the rules of its model server. */
export interface Setting {
  files?: FakeFile[]
  language?: string
  hasFallback?: boolean
  /** MODEL_TOKENS_PER_CALL. */
  tokensPerCall?: number
  /** The first answers of the model. */
  answers?: Behaviour[]
}

/** A failed request for an article, as its caller and the operator see it. */
export interface Failure {
  code: string
  reason: string | undefined
  message: string
  /** The error in the log. */
  logged: string
}

export interface Outcome {
  place: string
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of a test check the text
  article: any
  failure: Failure | undefined
  exchanges: Exchange[]
}

/** A running service that asks a model server with other rules for each article. */
export async function startArticlesThrough(env: Record<string, string> = {}) {
  const service = await startWritingService({ ARTICLE_QUOTA_PER_DAY: '100000', ...env })
  const { model, ctx } = service
  const { generate } = articlesOf(service)
  const token = await service.signedUp('reader')
  const settings = ctx.config.model
  if (!settings) throw new Error('The service has no model.')
  const { tokensPerCall } = settings
  let servers = 0

  /** A server that nothing is known about: what is learnt about a server is remembered by the name of the model. */
  async function keepTo(rules: Rule[], { hasFallback = false, tokensPerCall: tokens }: Setting = {}): Promise<void> {
    servers += 1
    Object.assign(settings ?? {}, {
      names: [`model-${servers}`, ...(hasFallback ? [`fallback-${servers}`] : [])],
      tokensPerCall: tokens ?? tokensPerCall,
    })
    await model.keepTo(rules)
    model.always(undefined)
    await ctx.db.deleteFrom('breakers').execute()
  }

  async function ask(
    setting: Setting = {},
    place = aPull(service, { files: setting.files ?? [SMALL] }),
  ): Promise<Outcome> {
    const [before, linesBefore] = [model.exchanges.length, service.logged.length]
    model.next(...(setting.answers ?? []))
    const { language = 'ja' } = setting
    const { status, body } = await generate(place, token, { language })
    const exchanges = model.exchanges.slice(before)
    if (status === 200) return { place, article: body.data.contents[language], failure: undefined, exchanges }
    expect([status, body], 'an answer or an error').toEqual([502, expect.objectContaining({ success: false })])
    const lines = service.logged.slice(linesBefore).map((line) => JSON.parse(line))
    const logged = lines.findLast(({ msg }) => msg === 'Article generation failed.')?.err?.message ?? ''
    const { code, details } = body.error
    return {
      place,
      article: undefined,
      failure: { code, reason: details?.reason, message: body.message, logged },
      exchanges,
    }
  }

  return {
    service,
    close: service.close,
    ask,
    /** The first article through such a server. */
    async articleThrough(rules: Rule[], setting: Setting = {}): Promise<Outcome> {
      await keepTo(rules, setting)
      return ask(setting)
    },
  }
}

export type ArticlesThrough = Awaited<ReturnType<typeof startArticlesThrough>>

const SMALL = changed('src/app.ts')

export function isCanary({ request }: Pick<Exchange, 'request'>): boolean {
  return /^Last word: word-/m.test(request.messages.at(-1)?.content ?? '')
}

/** Several files, so that a model that sees only some of them can write about these. */
export const LARGE: Setting = { files: ['a', 'b', 'c', 'd'].map((name) => added(`src/${name}.ts`, 100)) }

/** The refusals, each with the format of its request: the two formats are refused one after the other. */
export function refusalsIn(exchanges: Exchange[]): string[] {
  return exchanges.flatMap(({ request, refused }) =>
    refused === undefined ? [] : [`${request.model}: ${refused} (${request.response_format?.type ?? 'no format'})`],
  )
}

interface Expected {
  /** How many requests for the first article are refused. */
  refusals?: number
  /** Calls at the same time may all meet the same refusal. */
  callsAtOnce?: number
}

/** An article, nothing of it from a cut prompt, and no refusal twice; the next one without any refusal. */
export async function expectArticles(
  service: ArticlesThrough,
  rules: Rule[],
  setting: Setting = {},
  { refusals, callsAtOnce = 1 }: Expected = {},
): Promise<{ first: Outcome; last: Outcome }> {
  const first = await service.articleThrough(rules, setting)
  expectArticle(first)
  const refused = refusalsIn(first.exchanges)
  const times = refused.map((one) => refused.filter((other) => other === one).length)
  expect(Math.max(0, ...times), `refused again: ${refused.join('\n')}`).toBeLessThanOrEqual(callsAtOnce)
  if (refusals !== undefined) expect(refused).toHaveLength(refusals)
  if (refused.length === 0) return { first, last: first }
  const last = await service.ask({ ...setting, answers: [] })
  expectArticle(last)
  expect(refusalsIn(last.exchanges), 'refused although known').toEqual([])
  return { first, last }
}

export function expectArticle(outcome: Outcome): void {
  expect(outcome.failure, outcome.exchanges.map(summaryOf).join('\n')).toBeUndefined()
  expect(outcome.article.generator.kind).toBe('model')
  expectNothingCut(outcome)
}

/** Nothing that a model wrote after reading a part of the prompt may be published. */
export function expectNothingCut({ article, exchanges }: Outcome): void {
  if (!article) return
  const cut = exchanges.filter((exchange) => exchange.isCut && !isCanary(exchange))
  const published = cut.filter(({ request }) => request.model === article.generator.model)
  expect(published.map(summaryOf), 'published what a cut prompt gave').toEqual([])
}

/** A request without its messages, for the message of a failed test. */
export function summaryOf({ request, refused, isCut, usage }: Exchange): string {
  const { messages, response_format: format, ...parts } = request
  const { strict } = format?.json_schema ?? {}
  const sent = JSON.stringify({ ...parts, format: format?.type, ...(strict !== undefined && { strict }) })
  const turns = messages.map(({ role, content }) => `${role} ${content.length}`).join(', ')
  return `${sent} [${turns}] → ${refused ?? `${isCut ? 'cut' : 'answered'}, ${usage?.prompt_tokens ?? 'no'} prompt tokens`}`
}

/** What the caller and the operator read. */
export function toldBy({ failure }: Outcome): string {
  return failure ? `${failure.message} ${failure.logged}` : ''
}
