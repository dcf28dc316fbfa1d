import type { Kysely, Transaction } from 'kysely'
import { fromKysely } from 'pg-boss'
import { ARTICLES_QUEUE, openQueue } from '../db/jobs/queue.ts'
import type { Schema } from '../db/schema/schema.ts'
import { abortable } from '../lib/abortable.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'

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

/** How often one idle worker looks for jobs that other nodes have sent. */
const POLL_MS = 3000
/** The workers' own polling is a safeguard: they are woken when there may be a job. */
const WORKER_POLL_SECONDS = 60
const HEARTBEAT_SECONDS = 4
const STOP_MS = 2000

export interface HandedJob {
  jobId: string
  /** The trace of the request that asked for it. */
  traceparent?: string | undefined
}

interface Worker {
  id: string
  isBusy: boolean
}

export async function startQueue(
  db: Kysely<Schema>,
  onError: (error: Error) => void,
  pollMs = POLL_MS,
): Promise<JobQueue> {
  const boss = openQueue(db)
  // It tells of some as plain objects.
  boss.on('error', (error) => onError(error instanceof Error ? error : new Error((error as Error).message)))
  await boss.start()
  const closing = new AbortController()
  let workers: Worker[] = []
  let polling: NodeJS.Timeout | undefined
  /** One fetch is enough: a worker that finds a job wakes the next. While all are busy, each looks again when it is done. */
  function wake(): void {
    const idle = workers.find(({ isBusy }) => !isBusy)
    if (!idle) return
    // In turn: one whose query hangs must not hold up the jobs.
    workers = [...workers.filter((worker) => worker !== idle), idle]
    boss.notifyWorker(idle.id)
  }
  return {
    async send(trx, job, longestSeconds) {
      await boss.send(ARTICLES_QUEUE, job, { db: fromKysely(trx), expireInSeconds: longestSeconds })
    },
    async work(atOnce, handle) {
      const options = { pollingIntervalSeconds: WORKER_POLL_SECONDS, heartbeatRefreshSeconds: HEARTBEAT_SECONDS }
      const start = async (): Promise<Worker> => {
        const worker = { id: '', isBusy: false }
        worker.id = await boss.work<HandedJob>(ARTICLES_QUEUE, options, async (jobs) => {
          worker.isBusy = true
          wake()
          try {
            for (const { data, signal } of jobs)
              await abortable({ signals: [signal, closing.signal] }, (either) => handle(data, either))
          } finally {
            worker.isBusy = false
            // Has it look for the next one without a pause.
            boss.notifyWorker(worker.id)
          }
        })
        return worker
      }
      workers = await Promise.all(Array.from({ length: atOnce }, start))
      polling = setInterval(wake, pollMs)
    },
    wake,
    rest() {
      clearInterval(polling)
      boss.offWork(ARTICLES_QUEUE, { wait: false }).catch(onError)
    },
    handOver: () => closing.abort(new Error('The server is closing.')),
    async stop() {
      clearInterval(polling)
      closing.abort(new Error('The server is closing.'))
      // Without this, stopping the queue would look for ended workers every half second.
      await waitAtMost(STOP_MS, [boss.offWork(ARTICLES_QUEUE, { wait: true })])
      await boss.stop({ graceful: true, timeout: STOP_MS })
    },
  }
}
