import type { Context } from '../context.ts'
import type { ClaimedJob } from '../db/articleJobs.ts'
import type { JobStage } from '../db/schema.ts'
import type { PullRequestDocument } from '../pulls/document.ts'
import { composeOutline } from './composeOutline.ts'
import { composeWithModel } from './composeWithModel.ts'
import type { StoredContent, withAddresses } from './content.ts'

export type Report = (stage: JobStage, progress: number) => Promise<void>

export interface Subject {
  pull: PullRequestDocument
  /** Whether the repository was when this was read. */
  private: boolean
}

/** What a way of writing gives. */
export type Composed = Pick<StoredContent, 'coverage'> & {
  article: ReturnType<typeof withAddresses>
  generator: Omit<StoredContent['generator'], 'kind' | 'promptVersion' | 'milliseconds'>
}

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
