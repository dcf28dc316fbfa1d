import type { Context } from '../../context.ts'
import type { ClaimedJob } from '../../db/articles/articleJobs.ts'
import { findTexts } from '../../db/articles/articles.ts'
import { insertSpending } from '../../db/articles/modelSpending.ts'
import type { JobStage } from '../../db/schema/articleTables.ts'
import { dayOf } from '../../lib/day.ts'
import { ModelUnavailable, PromptRefused, WindowTooSmall } from '../../model/errors.ts'
import type { ModelConfig } from '../../runtime/config/config.ts'
import { costOf } from '../../runtime/config/prices.ts'
import type { Composed } from '../../writer/content.ts'
import { type LinkedDraft, type StoredContent, withAddresses } from '../../writer/content.ts'
import { BadAnswer, generationFailed } from '../../writer/errors.ts'
import { type ModelBudget, openModelBudget } from '../../writer/modelBudget.ts'
import type { ReadingLimits } from '../../writer/reading/budget.ts'
import type { RunStep } from '../../writer/steps/index.ts'
import { shareWritten } from '../../writer/streamProgress.ts'
import { translate } from '../../writer/translate.ts'
import { type KeptNotes, write } from '../../writer/write.ts'
import { modelAnswered, modelFailed } from './breaker.ts'
import { dailyTokensOf } from './dailyTokens.ts'
import type { ReportProgress, StoredPullRequest } from './draftTypes.ts'
import { stepsOf } from './runSteps.ts'

/** Writes a text from the diff, or translates a verified text of the same head commit. */
export async function composeWithModel(
  ctx: Context,
  job: ClaimedJob,
  subject: StoredPullRequest,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<Composed> {
  const { model: config } = ctx.config
  if (!ctx.askModel || !config) throw generationFailed('No model is configured on this node.')
  const run = stepsOf(ctx, signal)
  // Only failures of the last model count for the breaker: the other models have a fallback.
  const onUnavailable = async (name: string, error: ModelUnavailable) => {
    if (name === config.names.at(-1)) await modelFailed(ctx, error)
  }
  const onAnswered = () => modelAnswered(ctx)
  const { askModel: ask, now } = ctx
  const dailyTokens = dailyTokensOf(ctx, config.tokensPerDay)
  const countTokens = (text: string) => run('countTokens', text)
  const tier = job.is_automatic ? config.automaticTier : undefined
  const budget = openModelBudget({
    ...{ ask, config, now, dailyTokens, countTokens, tier, signal, onAnswered, onUnavailable },
  })
  const { document, hostPrUrl } = subject
  const { language } = job
  const original = await findTranslatable(ctx, job, subject, run)
  await report(original ? 'translating' : 'reading', 0.05)
  const prepared = original ? undefined : await run('prepare', { document, language, limits: limitsOf(config) })
  const notes: KeptNotes = new Map()
  const composing = withFallback(config.names, async (model) => {
    const ask = budget.asking(model)
    const generator = (translatedFrom: string | null) => ({ model, translatedFrom, ...budget.spent })
    if (original) {
      const { content, prepared: translation } = original
      const onProgress = (characters: number) => report('translating', 0.05 + 0.85 * shareWritten(characters))
      const article = await translate(
        articleOf(content),
        translation,
        { language, hostPrUrl },
        { ask, run, onProgress },
      )
      return { article, coverage: content.coverage, generator: generator(original.language) }
    }
    if (!prepared) throw generationFailed('No prompt was prepared.')
    const reportWriting = (stage: JobStage, share: number) => report(stage, 0.1 + 0.8 * share)
    const means = { run, ask, limits: config, report: reportWriting, kept: notes }
    const { draft, dropped } = await write(prepared, { language, hostPrUrl }, means)
    const coverage = { ...prepared.coverage, claimsDropped: dropped }
    return { article: withAddresses(draft, subject), coverage, generator: generator(null) }
  })
  return composing.then(
    async (composed) => {
      await recordSpending(ctx, job, budget.spentOn, true)
      return composed
    },
    async (error) => {
      await recordSpending(ctx, job, budget.spentOn, false)
      throw error
    },
  )
}

/** Records the model tokens and their cost for the operator. If recording fails, the article does not fail. */
async function recordSpending(
  { db, log, now, config }: Context,
  job: ClaimedJob,
  spentOn: ModelBudget['spentOn'],
  isWritten: boolean,
): Promise<void> {
  const day = dayOf(now())
  const rows = spentOn.map((spent) => ({
    day,
    model: spent.model,
    // The last model wrote the text, if any did.
    is_written: isWritten && spent === spentOn.at(-1),
    input_tokens: spent.inputTokens,
    output_tokens: spent.outputTokens,
    cached_tokens: spent.cachedTokens,
    cache_write_tokens: spent.cacheWriteTokens,
    reasoning_tokens: spent.reasoningTokens,
    cost: costOf(spent, config.model?.prices[spent.model]) ?? null,
  }))
  await insertSpending(db, job.id, rows).catch((error) =>
    log.warn({ err: error }, 'Could not record the model tokens used for an article.'),
  )
}

/** The limits that are passed to a thread: only these, so that the model's API key never leaves the main thread. */
function limitsOf({ tokensPerCall, callsPerArticle, tokensPerArticle }: ModelConfig): ReadingLimits {
  return { tokensPerCall, callsPerArticle, tokensPerArticle }
}

/** Tries the models in order; if none gives a usable answer, the last one's error is thrown. */
export async function withFallback<T>(models: string[], work: (model: string) => Promise<T>): Promise<T> {
  const [first = '', ...others] = models
  try {
    return await work(first)
  } catch (error) {
    const isRetryable = [BadAnswer, ModelUnavailable, PromptRefused, WindowTooSmall].some(
      (kind) => error instanceof kind,
    )
    if (!isRetryable || others.length === 0) throw error
    return withFallback(others, work)
  }
}

/**
 * Finds a text to translate: of the same head commit in another language, written from the diff and small enough for
 * one call.
 */
async function findTranslatable(
  ctx: Context,
  job: ClaimedJob,
  { headSha, private: hidden }: StoredPullRequest,
  run: RunStep,
) {
  const texts = await findTexts(ctx.db, job)
  const original = texts.find(
    (text) =>
      text.kind === 'model' &&
      text.translated_from === null &&
      text.language !== job.language &&
      text.head_sha === headSha &&
      text.prompt_version === job.prompt_version &&
      text.private === hidden,
  )
  if (!original) return undefined
  const content: StoredContent = JSON.parse(original.content)
  const tokensPerCall = ctx.config.model?.tokensPerCall ?? 0
  const prepared = await run('prepareTranslation', {
    article: articleOf(content),
    language: job.language,
    tokensPerCall,
  })
  return prepared && { language: original.language, content, prepared }
}

function articleOf(content: StoredContent): LinkedDraft {
  const { summaryGeneratedAt: _, headSha: __, coverage: ___, generator: ____, ...article } = content
  return article
}
