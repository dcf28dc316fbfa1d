import { followJob, readJob } from '../articles/jobs.ts'
import { type Handler, reply, replyEvents, type ServerEvent } from '../http/handler.ts'

const MESSAGES = {
  queued: 'The article is waiting to be written.',
  running: 'The article is being written.',
  succeeded: 'The article is written.',
  failed: 'The article could not be written.',
}

export const getArticleJob: Handler<'getArticleJob'> = async ({ params, viewer, wantsEvents }, ctx) => {
  const job = await readJob(ctx, viewer, params.jobId)
  return wantsEvents ? replyEvents(named(followJob(ctx, viewer, job))) : reply(200, job, MESSAGES[job.status])
}

async function* named(jobs: ReturnType<typeof followJob>): AsyncGenerator<ServerEvent | undefined> {
  for await (const job of jobs)
    yield job && { name: job.status === 'succeeded' || job.status === 'failed' ? job.status : 'progress', data: job }
}
