import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment } from './deployment.ts'
import { favoriteKey, type Known, likeKey, type Request } from './requests.ts'

const JOB_TIMEOUT_MS = 90_000

/** Records acknowledgements and checks them against later responses and, at the end, against the database. */
export function recordAcknowledgements(
  { query }: Deployment,
  retry: (request: Request) => Promise<string | undefined>,
) {
  const states = new Map<string, boolean | undefined>()
  const busy = new Set<string>()
  const jobs = new Map<string, Request>()
  let contradicted = 0

  /**
   * Waits until all jobs have ended, even those of killed nodes, and counts them. If a job fails because too many of
   * its nodes died, its article is requested again, as a client would do, and counts once.
   */
  async function waitForJobs(): Promise<{ succeeded: number; failed: number }> {
    const deadline = performance.now() + JOB_TIMEOUT_MS
    const pending = new Map(jobs)
    const counts = { succeeded: 0, failed: 0 }
    while (pending.size > 0 && performance.now() < deadline) {
      const rows = await query<{ id: string; status: 'succeeded' | 'failed'; reason: string | null }>(
        `select id, status, error_reason as reason from article_jobs
         where id = any($1::uuid[]) and status in ('succeeded', 'failed')`,
        [[...pending.keys()]],
      )
      for (const { id, status, reason } of rows) {
        const request = pending.get(id)
        pending.delete(id)
        const next = reason === 'node_lost' && request ? await retry(request) : undefined
        if (next && request) pending.set(next, request)
        else counts[status] += 1
      }
      if (pending.size > 0) await sleep(500)
    }
    return counts
  }

  async function storedKeys(): Promise<Set<string>> {
    const likes = await query<Record<'user' | 'article' | 'language', string>>(
      'select user_id as "user", article_id as article, language from likes',
    )
    const favorites = await query<{ user: string }>('select user_id as "user" from favorites')
    return new Set([
      ...likes.map(({ user, article, language }) => likeKey(user, article, language)),
      ...favorites.map(({ user }) => favoriteKey(user)),
    ])
  }

  const known: Known = { stateOf: (key) => states.get(key), isBusy: (key) => busy.has(key) }
  return {
    known,
    /**
     * The request may change a state: marks this state as unknown until the acknowledgement. Returns the state before.
     */
    begin({ claim }: Request): boolean | undefined {
      if (!claim) return undefined
      const before = states.get(claim.key)
      busy.add(claim.key)
      states.set(claim.key, undefined)
      return before
    },
    acknowledge(request: Request, jobId: string | undefined): void {
      if (request.claim) states.set(request.claim.key, request.claim.isOn)
      if (jobId) jobs.set(jobId, request)
    },
    /** Counts a response that implies that an acknowledged write is missing. */
    contradict(): void {
      contradicted += 1
    },
    end({ claim }: Request): void {
      if (claim) busy.delete(claim.key)
    },
    async close(): Promise<{ lost: number; jobs: number; failedJobs: number }> {
      const stored = await storedKeys()
      const wrong = [...states].filter(([key, isOn]) => isOn !== undefined && stored.has(key) !== isOn)
      const { succeeded, failed } = await waitForJobs()
      const lost = contradicted + wrong.length + jobs.size - succeeded - failed
      return { lost, jobs: jobs.size, failedJobs: failed }
    },
  }
}
