import { expect } from 'vitest'
import type { FakePull, FakeRepository } from '../../scripts/fakeHost/fakeRepository.ts'
import { type AskModel, NO_USAGE } from '../../src/model/call.ts'
import { requestBody } from '../../src/model/requestBody.ts'
import { readConfig } from '../../src/runtime/config/config.ts'
import { type Composed, type StoredContent, withAddresses } from '../../src/writer/content.ts'
import { openModelBudget } from '../../src/writer/modelBudget.ts'
import type { ReadingLimits } from '../../src/writer/reading/budget.ts'
import { type RunStep, steps } from '../../src/writer/steps/index.ts'
import { translate } from '../../src/writer/translate.ts'
import { write } from '../../src/writer/write.ts'
import { violations } from './contract.ts'
import { type FakeDraft, goodDraft, type ModelRequest } from './fakeModel.ts'
import type { Said } from './fakeStream.ts'
import { type StoredPull, storedPull } from './storedPull.ts'

/** Answers one request of the writer. If it throws, the model call throws the same error. */
export type Reply = (good: FakeDraft, request: ModelRequest) => FakeDraft | string | Said

interface Options {
  /** The pull request as it is already stored, instead of `pull` and `repository`. */
  stored?: StoredPull | undefined
  pull?: Partial<FakePull>
  repository?: Partial<FakeRepository>
  language?: string
  /** The answers to the first requests, one each. All others get the good draft. */
  replies?: Reply[]
  /** Answers all requests after `replies`. */
  always?: Reply
  /** Whether good drafts have code figures. */
  figures?: boolean
  limits?: Partial<ReadingLimits>
  /** Replaces the fake model. Requests to it are not recorded. */
  ask?: AskModel
}

/** An article as it is stored, and the requests to the model. */
export interface Written {
  content: StoredContent
  requests: ModelRequest[]
  stored: StoredPull
}

export interface Failed {
  error: unknown
  requests: ModelRequest[]
}

const WRITTEN_AT = '2026-01-02T00:00:00.000Z'
const { model: defaults } = readConfig({
  ...{ CODE_HOST_API_URL: 'https://api.host.example.com', RATE_LIMITS: 'off' },
  ...{ OPENAI_API_KEY: 'sk-fake-0123456789', OPENAI_MODEL: 'fake-model' },
})

/** Runs steps on the event loop. */
// biome-ignore lint/suspicious/noExplicitAny: the type of a step follows from its name
const run: RunStep = async (name, input) => (steps[name] as any)(input)

/** A good draft with a change. */
export function changing(change: (good: FakeDraft) => Partial<FakeDraft>): Reply {
  return (good) => ({ ...good, ...change(good) })
}

/** The last message of a request. */
export function lastMessage(request: ModelRequest | undefined): string {
  return request?.messages.at(-1)?.content ?? ''
}

/** Writes an article with the code of the service: no HTTP, database, queue or threads. */
export async function written({ pull, repository, language = 'ja', ...options }: Options = {}): Promise<Written> {
  const stored = options.stored ?? (await storedPull(pull, repository))
  const { ask, budget, limits, requests } = fakeAsk(options)
  const { document, hostPrUrl } = stored
  const { coverage, ...prepared } = await run('prepare', { document, language, limits })
  const deps = { run, ask, limits, report: async () => {}, kept: new Map() }
  const { draft, dropped } = await write(prepared, { language, hostPrUrl }, deps).catch(withRequests(requests))
  const composed = {
    article: withAddresses(draft, stored),
    coverage: { ...coverage, claimsDropped: dropped },
    generator: { model: 'fake-model', translatedFrom: null, ...budget.spent },
  }
  return { content: contentOf(composed, stored, 'model'), requests, stored }
}

/** Translates a written article. */
export async function translated(
  { content, stored }: Written,
  language: string,
  options: Pick<Options, 'replies' | 'always'> = {},
): Promise<Written> {
  const { ask, budget, limits, requests } = fakeAsk(options)
  const { summaryGeneratedAt: _, headSha: __, coverage, generator: ___, ...article } = content
  const { hostPrUrl } = stored
  const prepared = await run('prepareTranslation', { article, language, tokensPerCall: limits.tokensPerCall })
  if (!prepared) throw new TypeError('The article does not fit one call.')
  const means = { ask, run, onProgress: async () => {} }
  const text = { language, hostPrUrl }
  const translation = await translate(article, prepared, text, means).catch(withRequests(requests))
  const generator = { model: 'fake-model', translatedFrom: 'ja', ...budget.spent }
  return { content: contentOf({ article: translation, coverage, generator }, stored, 'model'), requests, stored }
}

/** Writes an outline, without a model. */
export async function outlined(
  pull: Partial<FakePull>,
  language = 'en',
  repository: Partial<FakeRepository> = {},
): Promise<StoredContent> {
  return outlinedFrom(await storedPull(pull, repository), language)
}

/** Writes an outline about a pull request that is already stored. */
export async function outlinedFrom(stored: StoredPull, language = 'en'): Promise<StoredContent> {
  return contentOf(await run('outline', { document: stored.document, language }), stored, 'outline')
}

/** The error of an article that cannot be written, and the requests before it. */
export async function failed(writing: Promise<Written>): Promise<Failed> {
  const failure = await writing.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(failure instanceof FailedWriting)) throw failure ?? new Error('The article was written.')
  return { error: failure.cause, requests: failure.requests }
}

class FailedWriting extends Error {
  readonly requests: ModelRequest[]

  constructor(cause: Error, requests: ModelRequest[]) {
    super(cause.message, { cause })
    this.requests = requests
  }
}

function withRequests(requests: ModelRequest[]) {
  return (error: Error) => {
    throw new FailedWriting(error, requests)
  }
}

/** A fake model for the calls of one article, with the budget of that article. */
function fakeAsk({
  replies = [],
  always,
  figures = false,
  limits,
  ask,
}: Omit<Options, 'stored' | 'pull' | 'repository'>) {
  if (!defaults) throw new TypeError('There is no model.')
  const config = { ...defaults, ...limits }
  const requests: ModelRequest[] = []
  const askFake: AskModel = async (call) => {
    const shape = {
      leftOut: new Set(call.schemaInPrompt ? ['schema' as const] : []),
      ...{ maxOutputTokens: call.maxOutputTokens, effort: undefined },
    }
    const request = requestBody(call, shape) as ModelRequest
    const reply = replies[requests.length] ?? always
    requests.push(request)
    const good = goodDraft(request, figures)
    const said = reply ? reply(good, request) : good
    const { content, refusal = null, finish } = saidOf(said)
    return { ...NO_USAGE, content: content ?? '', refusal, cutOff: finish === 'length', shape }
  }
  const budget = openModelBudget({
    ...{ ask: ask ?? askFake, config, now: () => new Date(), signal: new AbortController().signal },
    dailyTokens: { reserve: async () => true, settle: async () => {} },
    countTokens: (text) => run('countTokens', text),
    ...{ onAnswered: async () => {}, onUnavailable: async () => {} },
  })
  return { ask: budget.asking('fake-model'), budget, limits: config, requests }
}

function saidOf(said: FakeDraft | string | Said): Said {
  if (typeof said === 'string') return { content: said }
  return 'content' in said ? (said as Said) : { content: JSON.stringify(said) }
}

/** The content as the service stores it. Expects that it conforms to the contract when it is served. */
function contentOf(composed: Composed, { headSha }: StoredPull, kind: 'model' | 'outline'): StoredContent {
  const { article, coverage, generator } = composed
  const made = { kind, ...generator, promptVersion: '1', milliseconds: 0 }
  const content: StoredContent = JSON.parse(
    JSON.stringify({
      ...article,
      summaryGeneratedAt: WRITTEN_AT,
      headSha,
      coverage,
      generator: made,
    } satisfies StoredContent),
  )
  const served = { ...content, likeCount: 0, liked: null, stale: false }
  expect(violations('#/components/schemas/ArticleContent', served)).toEqual([])
  return content
}
