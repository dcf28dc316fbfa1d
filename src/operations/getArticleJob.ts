import { followJob, hasEnded, readJob } from '../domain/articles/jobs.ts'
import { shownStateOf } from '../runtime/jobs/watch.ts'
import { type Handler, reply, replyEvents, type ServerEvent } from '../web/api/handler.ts'

const MESSAGES = {
  queued: 'The article is queued.',
  running: 'The article is being written.',
  succeeded: 'The article is ready.',
  failed: 'The article could not be written.',
}

export const getArticleJob: Handler<'getArticleJob'> = async (input, ctx) => {
  const { params, viewer, wantsEvents, lastEventId } = input
  const job = await readJob(ctx, viewer, params.jobId)
  if (!wantsEvents) return reply(200, job, MESSAGES[job.status])
  return replyEvents((left) => {
    ctx.jobs.streams.count(viewer.user.id, left)
    return toEvents(followJob(ctx, viewer, job, { lastSeen: lastEventId, left }))
  })
}

async function* toEvents(jobs: ReturnType<typeof followJob>): AsyncGenerator<ServerEvent | undefined> {
  for await (const job of jobs)
    yield job && { id: shownStateOf(job), name: hasEnded(job) ? job.status : 'progress', data: job }
}
