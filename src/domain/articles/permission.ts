import type { Context } from '../../context.ts'
import type { ClaimedJob } from '../../db/articles/articleJobs.ts'
import { findShownHead } from '../../db/pulls/heads.ts'
import { forbidden } from '../../errors.ts'
import { repositoryNotFound } from '../repositories/problems.ts'
import { checkPublic } from '../repositories/publicVisibility.ts'
import { requireNotHidden } from '../repositories/requireNotHidden.ts'
import { audienceOf } from '../repositories/visibility.ts'

/**
 * Checks, before a job reads anything, that the session that requested it may still see the repository. A job that the
 * service started by itself may have waited for long, so the code host is asked whether the repository is still public.
 */
export async function requireStillAllowed(ctx: Context, job: ClaimedJob): Promise<void> {
  if (job.session_id === null) await checkPublic(ctx, job.host_repo_id)
  const audience = audienceOf(ctx, { id: job.session_id })
  const head = await findShownHead(ctx.db, audience, { hostRepoId: job.host_repo_id }, job.number)
  if (!head) {
    await requireNotHidden(ctx, audience, { hostRepoId: job.host_repo_id }, job.number)
    throw repositoryNotFound()
  }
  requireMayBeSent(ctx, job, head)
}

/** Content of private repositories is not sent to a model unless the operator allows it. */
export function requireMayBeSent(
  ctx: Context,
  { kind }: Pick<ClaimedJob, 'kind'>,
  { private: hidden }: { private: boolean },
) {
  if (hidden && kind === 'model' && !ctx.config.articles.forPrivate)
    throw forbidden(
      'private_not_allowed',
      'This repository is private, and private code is not sent to a model here (SEND_PRIVATE_CODE_TO_MODEL).',
    )
}
