import type { Context } from '../context.ts'
import type { ClaimedJob } from '../db/articleJobs.ts'
import type { Report, Subject } from './composed.ts'
import { composeOutline } from './composeOutline.ts'
import { composeWithModel } from './composeWithModel.ts'
import type { StoredContent } from './content.ts'

/** The text a job asks for: by the model, or as an outline. */
export async function compose(
  ctx: Context,
  job: ClaimedJob,
  subject: Subject,
  signal: AbortSignal,
  report: Report,
): Promise<StoredContent> {
  const startedAt = performance.now()
  const { article, coverage, generator } =
    job.kind === 'model'
      ? await composeWithModel(ctx, job, subject, signal, report)
      : await composeOutline(subject.pull, job.language)
  return {
    ...article,
    summaryGeneratedAt: ctx.now().toISOString(),
    headSha: subject.pull.headSha,
    coverage,
    generator: {
      kind: job.kind,
      ...generator,
      promptVersion: job.prompt_version,
      milliseconds: Math.round(performance.now() - startedAt),
    },
  }
}
