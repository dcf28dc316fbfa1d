import type { Context } from '../context.ts'
import type { ClaimedJob } from '../db/articleJobs.ts'
import { findTexts } from '../db/articles.ts'
import { ModelUnavailable, PromptRefused } from '../model/errors.ts'
import { modelAnswered, modelFailed } from './breaker.ts'
import type { Composed, Report, Subject } from './composed.ts'
import { type StoredContent, withAddresses } from './content.ts'
import { BadAnswer, generationFailed } from './failures.ts'
import { read } from './reading/read.ts'
import { tokenCounter } from './reading/tokens.ts'
import { secretMasker } from './secrets/masker.ts'
import { openDesk } from './writing/desk.ts'
import { fitsTranslation, translate } from './writing/translator.ts'
import { instructionTokens, type KeptNotes, write } from './writing/write.ts'

/** By the model, from the diff; or translated from a proven text of the same head commit. */
export async function composeWithModel(
  ctx: Context,
  job: ClaimedJob,
  subject: Subject,
  signal: AbortSignal,
  report: Report,
): Promise<Composed> {
  const { model: config } = ctx.config
  if (!ctx.askModel || !config) throw generationFailed('No model is configured on this node.')
  const count = await tokenCounter()
  // As long as there is another model to ask, one that fails is nobody's concern.
  const onUnavailable = async (name: string, error: ModelUnavailable) => {
    if (name === config.names.at(-1)) await modelFailed(ctx, error)
  }
  const onAnswered = () => modelAnswered(ctx)
  const { askModel: ask, db, now } = ctx
  const desk = openDesk({ ask, config, db, now, count, signal, onAnswered, onUnavailable })
  const { pull } = subject
  const proven = await provenText(ctx, job, subject)
  const original =
    proven && fitsTranslation(proven.content, job.language, config.tokensPerCall, count) ? proven : undefined
  await report(original ? 'translating' : 'reading', 0.05)
  const masker = secretMasker()
  const reading = original
    ? undefined
    : await read(pull, config, instructionTokens(pull, job.language, count), { count, mask: masker.mask })
  const kept: KeptNotes = new Map()
  return withOneOf(config.names, async (model) => {
    const ask = desk.asking(model)
    const generator = (translatedFrom: string | null) => ({ model, translatedFrom, ...desk.spent })
    if (original) {
      const { language, content } = original
      const article = await translate(content, job.language, pull.hostPrUrl, ask, count)
      return { article: claimsOf(article), coverage: content.coverage, generator: generator(language) }
    }
    if (!reading) throw generationFailed('Nothing was read.')
    const { draft, dropped } = await write(
      reading,
      job.language,
      ask,
      config,
      count,
      (stage, share) => report(stage, 0.1 + 0.8 * share),
      kept,
    )
    const coverage = { ...reading.coverage, secretsMasked: masker.count, claimsDropped: dropped }
    return { article: withAddresses(draft, pull), coverage, generator: generator(null) }
  })
}

/** The first model that gives something of use; the last one's failure where none does. */
async function withOneOf<T>(models: string[], work: (model: string) => Promise<T>): Promise<T> {
  const [first = '', ...others] = models
  try {
    return await work(first)
  } catch (error) {
    const mayOthersHelp = [BadAnswer, ModelUnavailable, PromptRefused].some((kind) => error instanceof kind)
    if (!mayOthersHelp || others.length === 0) throw error
    return withOneOf(others, work)
  }
}

/** A text of the same head commit that was written from the diff itself, in another language. */
async function provenText(ctx: Context, job: ClaimedJob, { pull, private: hidden }: Subject) {
  const texts = await findTexts(ctx.db, job)
  const original = texts.find(
    (text) =>
      text.kind === 'model' &&
      text.translated_from === null &&
      text.language !== job.language &&
      text.head_sha === pull.headSha &&
      text.prompt_version === job.prompt_version &&
      text.private === hidden,
  )
  return original && { language: original.language, content: JSON.parse(original.content) as StoredContent }
}

function claimsOf({ aiGeneratedTitle, backgroundAndPurpose, mainChanges, notablePoints }: StoredContent) {
  return { aiGeneratedTitle, backgroundAndPurpose, mainChanges, notablePoints }
}
