import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, Schemas } from './api.ts'
import { DemoFailure } from './failure.ts'

export type Job = Schemas['ArticleJob']

const MAX_MINUTES = 10
const PAUSE_MS = 1000

/** Follows a job to its end and reports its progress. */
export async function followJob(
  api: Api,
  location: string,
  onProgress: (job: Job) => void,
  maxMinutes = MAX_MINUTES,
): Promise<void> {
  const timeout = AbortSignal.timeout(maxMinutes * 60_000)
  try {
    for await (const job of jobStates(api, location, timeout)) {
      onProgress(job)
      if (job.status === 'failed') throw new DemoFailure(failureOf(job))
    }
  } catch (error) {
    if (timeout.aborted) throw new DemoFailure(`The job did not finish within ${maxMinutes} minutes.`)
    throw error
  }
}

function failureOf({ error }: Job): string {
  return error ? `${error.message} (${error.code})` : 'The job failed.'
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Reads the event stream of a job, and reconnects if it ends before the job does. */
async function* jobStates(api: Api, location: string, signal: AbortSignal): AsyncGenerator<Job> {
  for (let status: Job['status'] = 'queued'; ; ) {
    const { body } = await api.send('GET', location, { headers: { accept: 'text/event-stream' }, signal })
    for await (const data of eventData(untilBroken(body ?? []))) {
      const job = JSON.parse(data) as Job
      status = job.status
      yield job
    }
    if (status === 'succeeded' || status === 'failed') return
    await sleep(PAUSE_MS, undefined, { signal })
  }
}

async function* untilBroken(chunks: Chunks): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch {
    // The caller reconnects, which fails if the service is gone.
  }
}

/** The `data` of each server-sent event; skips comments and events without data. */
export async function* eventData(body: Chunks): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let pending = ''
  for await (const chunk of body) {
    pending += decoder.decode(chunk, { stream: true }).replaceAll('\r', '')
    const events = pending.split('\n\n')
    pending = events.pop() ?? ''
    for (const event of events) {
      const data = event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart())
      if (data.length > 0) yield data.join('\n')
    }
  }
}
