import type { Kysely } from 'kysely'
import { type AdminJob, endJobs, findJob, requeueJob } from '../../db/admin/jobs.ts'
import type { Schema } from '../../db/schema/schema.ts'
import type { Config } from '../../runtime/config/config.ts'
import { withSender } from '../../runtime/jobs/queue.ts'
import { maxJobSeconds } from '../articles/startJob.ts'
import { type Act, AdminError, type Operator, perform } from './perform.ts'

const UNIQUE_VIOLATION = '23505'

/** The error of a job that an operator has canceled. */
export const CANCELED = {
  error_code: 'GENERATION_FAILED',
  error_message: 'The operator of this service canceled this job.',
  error_reason: 'canceled_by_operator',
} as const

/** Ends a queued or running job. A running one stops within seconds. */
export async function cancelJob(db: Kysely<Schema>, id: string, operator: Operator): Promise<Act> {
  const act = { ...operator, act: 'cancel job', subject: subjectOf(await requireJob(db, id)) }
  await perform(db, act, async (trx) => {
    if ((await endJobs(trx, { id }, CANCELED, operator.at)) === 0) throw new AdminError('This job has ended already.')
  })
  return act
}

/**
 * Puts a failed job back into the queue, with the same id. It does not count against the quota of its user. Jobs about
 * private repositories need a user whose access was checked just before, so an operator cannot start them.
 */
export async function retryJob(db: Kysely<Schema>, config: Config, id: string, operator: Operator): Promise<Act> {
  const job = await requireJob(db, id)
  requirePublic(job)
  const act = { ...operator, act: 'retry job', subject: subjectOf(job) }
  const options = { maxSeconds: maxJobSeconds({ config }), isAutomatic: job.is_automatic }
  await withSender(db, (send) =>
    perform(db, act, async (trx) => {
      if (!(await requeueJob(trx, id, operator.at))) throw new AdminError('This job has not failed.')
      await send(trx, { jobId: id }, options)
    }),
  ).catch((error) => {
    throw error.code === UNIQUE_VIOLATION ? new AdminError('Another job writes this text already.') : error
  })
  return act
}

async function requireJob(db: Kysely<Schema>, id: string): Promise<AdminJob> {
  const job = await findJob(db, id)
  if (!job) throw new AdminError('There is no such job. Jobs are deleted 30 days after they ended.')
  return job
}

export function requirePublic({ private: hidden }: { private: boolean }): void {
  if (hidden) throw new AdminError('The repository is private: only a user who may read it can ask for the article.')
}

function subjectOf({ id, owner, name, number }: AdminJob): string {
  return `${owner}/${name}#${number} (${id})`
}
