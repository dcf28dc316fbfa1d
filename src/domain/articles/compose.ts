import type { Context } from '../../context.ts'
import type { ClaimedJob } from '../../db/articles/articleJobs.ts'
import type { Composed, StoredContent } from '../../writer/content.ts'
import { generationFailed } from '../../writer/errors.ts'
import { composeWithModel } from './composeWithModel.ts'
import type { ReportProgress, StoredPullRequest } from './draftTypes.ts'
import { stepsOf } from './runSteps.ts'

/** Composes the text of a job: with the model, or as an outline. */
export async function compose(
  ctx: Context,
  job: ClaimedJob,
  subject: StoredPullRequest,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<StoredContent> {
  const startedAt = performance.now()
  const { article, coverage, generator } =
    job.kind === 'model'
      ? await composeWithModel(ctx, job, subject, signal, report)
      : await composeOutline(ctx, job, subject, signal)
  return {
    ...article,
    summaryGeneratedAt: ctx.now().toISOString(),
    headSha: subject.headSha,
    coverage,
    generator: {
      kind: job.kind,
      ...generator,
      promptVersion: job.prompt_version,
      milliseconds: Math.round(performance.now() - startedAt),
    },
  }
}

async function composeOutline(
  ctx: Context,
  { language }: ClaimedJob,
  { document }: StoredPullRequest,
  signal: AbortSignal,
): Promise<Composed> {
  const composed = await stepsOf(ctx, signal)('outline', { document, language })
  if (composed.article.mainChanges.length === 0)
    throw generationFailed('The pull request changes no file that an article could describe.')
  return composed
}
