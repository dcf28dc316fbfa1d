import type { Kysely, Transaction } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import { ARTICLES_QUEUE, openQueue } from '../../db/jobs/queue.ts'
import type { Schema } from '../../db/schema/schema.ts'
import { abortable } from '../../lib/abortable.ts'
import { waitAtMost } from '../../lib/waitAtMost.ts'

/** A queue for all nodes. One node works on a job at a time; if that node dies, another takes over. */
export interface JobQueue {
  /** Enqueues in the caller's transaction: the job exists only if the transaction commits. */
  send(trx: Transaction<Schema>, job: QueuedJob, options: SendOptions): Promise<void>
  /** Runs up to `atOnce` jobs on this node. If `handle` throws, any node may retry the job. */
  work(atOnce: number, handle: (job: QueuedJob, signal: AbortSignal) => Promise<void>): Promise<void>
  /** Looks for jobs at once, because this node has sent one. */
  wake(): void
  stopFetching(): void
  /** Aborts the running jobs, so that other nodes can take over. */
  abortRunning(): void
  stop(): Promise<void>
}

/** How often one idle worker looks for jobs from other nodes. */
const POLL_MS = 3000
/** How often each worker looks for jobs by itself. A safeguard only: workers are woken when there may be a job. */
const WORKER_POLL_SECONDS = 60
const HEARTBEAT_SECONDS = 4
const AUTOMATIC_PRIORITY = -1
const STOP_TIMEOUT_MS = 2000

export interface QueuedJob {
  jobId: string
  /** The trace of the request that asked for the job. */
  traceparent?: string | undefined
}

interface SendOptions {
  maxSeconds: number
  /** Automatic jobs run after requested ones. */
  isAutomatic: boolean
}

interface Worker {
  id: string
  isBusy: boolean
}

function sendTo(boss: PgBoss): JobQueue['send'] {
  return async (trx, job, { maxSeconds, isAutomatic }) => {
    const priority = isAutomatic ? AUTOMATIC_PRIORITY : 0
    await boss.send(ARTICLES_QUEUE, job, { db: fromKysely(trx), expireInSeconds: maxSeconds, priority })
  }
}

/** Opens the queue only to send jobs to the nodes, for programs that work on none. */
export async function withSender<T>(db: Kysely<Schema>, work: (send: JobQueue['send']) => Promise<T>): Promise<T> {
  const boss = openQueue(db, { supervise: false })
  const failed = Promise.withResolvers<never>()
  boss.on('error', failed.reject)
  await boss.start()
  try {
    return await Promise.race([work(sendTo(boss)), failed.promise])
  } finally {
    await boss.stop({ graceful: false })
  }
}

export async function startQueue(
  db: Kysely<Schema>,
  onError: (error: Error) => void,
  pollMs = POLL_MS,
): Promise<JobQueue> {
  const boss = openQueue(db)
  // pg-boss reports some errors as plain objects.
  boss.on('error', (error) => onError(error instanceof Error ? error : new Error((error as Error).message)))
  await boss.start()
  const closing = new AbortController()
  let workers: Worker[] = []
  let polling: NodeJS.Timeout | undefined
  /**
   * Wakes one idle worker, which is enough: a worker that finds a job wakes the next one. While all are busy, each
   * looks for a job when it is done.
   */
  function wake(): void {
    const idle = workers.find(({ isBusy }) => !isBusy)
    if (!idle) return
    // Round robin: a worker whose query hangs must not be woken every time, which would block the jobs.
    workers = [...workers.filter((worker) => worker !== idle), idle]
    boss.notifyWorker(idle.id)
  }
  return {
    send: sendTo(boss),
    async work(atOnce, handle) {
      const options = { pollingIntervalSeconds: WORKER_POLL_SECONDS, heartbeatRefreshSeconds: HEARTBEAT_SECONDS }
      const start = async (): Promise<Worker> => {
        const worker = { id: '', isBusy: false }
        worker.id = await boss.work<QueuedJob>(ARTICLES_QUEUE, options, async (jobs) => {
          worker.isBusy = true
          wake()
          try {
            for (const { data, signal } of jobs)
              await abortable({ signals: [signal, closing.signal] }, (jobSignal) => handle(data, jobSignal))
          } finally {
            worker.isBusy = false
            // Fetch the next job at once.
            boss.notifyWorker(worker.id)
          }
        })
        return worker
      }
      workers = await Promise.all(Array.from({ length: atOnce }, start))
      polling = setInterval(wake, pollMs)
    },
    wake,
    stopFetching() {
      clearInterval(polling)
      boss.offWork(ARTICLES_QUEUE, { wait: false }).catch(onError)
    },
    abortRunning: () => closing.abort(new Error('The server is closing.')),
    async stop() {
      clearInterval(polling)
      closing.abort(new Error('The server is closing.'))
      // Otherwise boss.stop() would poll for ended workers every half second.
      await waitAtMost(STOP_TIMEOUT_MS, [boss.offWork(ARTICLES_QUEUE, { wait: true })])
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
    },
  }
}
