import { expect } from 'vitest'
import type { FakeFile } from '../../../scripts/fakeHost/fakeRepository.ts'
import type { LinkedDraft } from '../../../src/writer/content.ts'
import type { Behaviour } from '../fakeModel.ts'
import { added, changed } from '../pulls.ts'
import type { Exchange } from './server.ts'

/** What an article needs besides the rules of its model server. */
export interface Setting {
  files?: FakeFile[]
  language?: string
  hasFallback?: boolean
  /** The value of MODEL_TOKENS_PER_CALL. */
  tokensPerCall?: number
  /** How the server answers the first requests. */
  answers?: Behaviour[]
}

export const SMALL: FakeFile[] = [changed('src/app.ts')]
/** Several files, so that a model that sees only some of the files can still write about those. */
export const LARGE = { files: ['a', 'b', 'c', 'd'].map((name) => added(`src/${name}.ts`, 100)) } satisfies Setting

/** A failed article, as its caller and the operator see it. */
export interface Failure {
  code: string
  reason: string | undefined
  message: string
  /** The error that is logged. */
  error: Error
}

export type WrittenArticle = LinkedDraft & { generator: { model: string; calls: number } }

interface Tried {
  exchanges: Exchange[]
}
type Written = Tried & { article: WrittenArticle; failure: undefined }
export type Outcome = Written | (Tried & { article: undefined; failure: Failure })

export function isCanary({ request }: Pick<Exchange, 'request'>): boolean {
  return /^Last word: word-/m.test(request.messages.at(-1)?.content ?? '')
}

/**
 * The refusals, each with the response format of its request: a server may refuse both formats, one after the other.
 */
export function refusalsIn(exchanges: Exchange[]): string[] {
  return exchanges.flatMap(({ request, refused }) =>
    refused === undefined ? [] : [`${request.model}: ${refused} (${request.response_format?.type ?? 'no format'})`],
  )
}

/** Expects an article. Its model must have received requests, and no text may come from a cut prompt. */
export function expectArticle(outcome: Outcome): asserts outcome is Written {
  const { article, exchanges, failure } = outcome
  expect(failure, exchanges.map(summaryOf).join('\n')).toBeUndefined()
  expect(exchanges.map(({ request }) => request.model)).toContain(article?.generator.model)
  expectNothingCut(outcome)
}

/** Expects that the server cut no prompt, except canaries, of the model that wrote the article. */
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

/** The messages of a failure that the caller and the operator read. */
export function toldBy({ failure }: Pick<Outcome, 'failure'>): string {
  return failure ? `${failure.message} ${failure.error.message}` : ''
}
