import type { Client } from './client/index.js'
import { client as defaultClient } from './client.gen.js'
import { getArticleJob } from './sdk.gen.js'
import type { ArticleJob } from './types.gen.js'

interface FollowOptions {
  client?: Client
  path: { jobId: string }
  /** Stops following. The generator then throws the reason of the signal. */
  signal?: AbortSignal
}

const PAUSE_MS = 2000

/**
 * Yields a job whenever it has changed, the last time when it has succeeded or failed. Reconnects if the stream breaks
 * off. Throws the error response of the service, or the error of the network, if the job cannot be read.
 */
export async function* followArticleJob({
  client = defaultClient,
  path,
  signal,
}: FollowOptions): AsyncGenerator<ArticleJob, void> {
  const left = new AbortController()
  const stop = signal ? AbortSignal.any([signal, left.signal]) : left.signal
  const security = [{ scheme: 'bearer', type: 'http' }] as const
  let seen = ''
  try {
    while (true) {
      // The client of the stream hides errors and would retry forever, so each attempt first reads the job without a
      // stream.
      const { data } = await getArticleJob({ client, path, signal: stop, throwOnError: true })
      const { stream } = await client.sse.get<{ 200: ArticleJob }>({
        ...{ url: '/article-jobs/{jobId}', path, signal: stop, security, sseMaxRetryAttempts: 1 },
        headers: { Accept: 'text/event-stream' },
      })
      for await (const job of startingWith(data.data, stream)) {
        if (JSON.stringify(job) !== seen) yield job
        if (job.status === 'succeeded' || job.status === 'failed') return
        seen = JSON.stringify(job)
      }
      await pause(stop)
    }
  } finally {
    left.abort()
  }
}

function pause(stop: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS)
    stop.addEventListener('abort', resolve, { once: true })
  })
}

async function* startingWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}
