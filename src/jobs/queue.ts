import type { Kysely, Transaction } from 'kysely'
import { fromKysely } from 'pg-boss'
import { abortable } from '../abortable.ts'
import { ARTICLES_QUEUE, openQueue } from '../db/queue.ts'
import type { Schema } from '../db/schema.ts'

/** Jobs handed from one node to any, each to one at a time, and to another when that one has gone. */
export interface JobQueue {
  /** Within the caller's transaction: there is a job if and only if that is committed. */
  send(trx: Transaction<Schema>, job: HandedJob, longestSeconds: number): Promise<void>
  /** Works off jobs on this node, so many at once. What is thrown has the job tried again, by any node. */
  work(atOnce: number, handle: (job: HandedJob, signal: AbortSignal) => Promise<void>): Promise<void>
  /** Looks at once: a job was sent from here. */
  wake(): void
  /** Takes no more jobs. */
  rest(): void
  /** Gives up those under way, for other nodes to take up. */
  handOver(): void
  stop(): Promise<void>
}

const POLL_SECONDS = 2
const HEARTBEAT_SECONDS = 4
const STOP_MILLISECONDS = 2000

export interface HandedJob {
  jobId: string
  /** The trace of the request that asked for it. */
  traceparent?: string | undefined
}

export async function startQueue(db: Kysely<Schema>, onError: (error: Error) => void): Promise<JobQueue> {
  const boss = openQueue(db)
  // It tells of some as plain objects.
  boss.on('error', (error) => onError(error instanceof Error ? error : new Error((error as Error).message)))
  await boss.start()
  const closing = new AbortController()
  let workers: string[] = []
  return {
    async send(trx, job, longestSeconds) {
      await boss.send(ARTICLES_QUEUE, job, { db: fromKysely(trx), expireInSeconds: longestSeconds })
    },
    async work(atOnce, handle) {
      const options = { pollingIntervalSeconds: POLL_SECONDS, heartbeatRefreshSeconds: HEARTBEAT_SECONDS }
      const start = (_: unknown, i: number) =>
        boss.work<HandedJob>(ARTICLES_QUEUE, options, async (jobs) => {
          for (const { data, signal } of jobs)
            await abortable({ signals: [signal, closing.signal] }, (either) => handle(data, either))
          // Has it look for the next one without a pause.
          boss.notifyWorker(workers[i] ?? '')
        })
      workers = await Promise.all(Array.from({ length: atOnce }, start))
    },
    wake() {
      for (const worker of workers) boss.notifyWorker(worker)
    },
    rest() {
      boss.offWork(ARTICLES_QUEUE, { wait: false }).catch(onError)
    },
    handOver: () => closing.abort(new Error('The server is closing.')),
    async stop() {
      closing.abort(new Error('The server is closing.'))
      await boss.stop({ graceful: true, timeout: STOP_MILLISECONDS })
    },
  }
}
