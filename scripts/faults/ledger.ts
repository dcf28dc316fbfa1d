import { setTimeout as sleep } from 'node:timers/promises'
import type { Action, Claim, Knowledge } from './deeds.ts'
import type { Text, World } from './world.ts'

const JOB_TIMEOUT_MS = 90_000

export type Ledger = ReturnType<typeof openLedger>

/** Records acknowledgements and checks them against later responses and, at the end, against the database. */
export function openLedger(world: World, retry: (action: Action) => Promise<string | undefined>) {
  const states = new Map<string, boolean | undefined>()
  const busy = new Set<string>()
  const jobs = new Map<string, Action>()
  let contradicted = 0

  const knowledge: Knowledge = { stateOf: (key) => states.get(key), isBusy: (key) => busy.has(key) }
  return {
    knowledge,
    /** Returns the state before; until the acknowledgement it is unknown. */
    begin({ claim }: Action): boolean | undefined {
      if (!claim) return undefined
      const before = states.get(claim.key)
      busy.add(claim.key)
      states.set(claim.key, undefined)
      return before
    },
    acknowledge(action: Action, jobId: string | undefined): void {
      if (action.claim) states.set(action.claim.key, action.claim.isOn)
      if (jobId) jobs.set(jobId, action)
    },
    /** A response that implies that an acknowledged write is missing. */
    contradict(): void {
      contradicted += 1
    },
    end({ claim }: Action): void {
      if (claim) busy.delete(claim.key)
    },
    async close(): Promise<{ lost: number; jobs: number; failedJobs: number }> {
      const on = await statesIn(world)
      const wrong = [...states].filter(([key, isOn]) => isOn !== undefined && on.has(key) !== isOn)
      const { succeeded, failed } = await waitForJobs(world, jobs, retry)
      const lost = contradicted + wrong.length + jobs.size - succeeded - failed
      return { lost, jobs: jobs.size, failedJobs: failed }
    },
  }
}

async function statesIn(world: World): Promise<Set<Claim['key']>> {
  const likes = await world.query<Text & { user: string }>(
    'select user_id as "user", article_id as "articleId", language from likes',
  )
  const favorites = await world.query<{ user: string }>('select user_id as "user" from favorites')
  return new Set([
    ...likes.map(({ user, articleId, language }) => `${user} ${articleId} ${language}`),
    ...favorites.map(({ user }) => `${user} favorite`),
  ])
}

/**
 * Counts waitForJobs jobs, with time for those of killed nodes. A job that lost too many nodes is requested again, like a
 * client would; its article counts once.
 */
async function waitForJobs(
  world: World,
  jobs: Map<string, Action>,
  retry: (action: Action) => Promise<string | undefined>,
): Promise<{ succeeded: number; failed: number }> {
  const until = performance.now() + JOB_TIMEOUT_MS
  const pending = new Map(jobs)
  const counts = { succeeded: 0, failed: 0 }
  while (pending.size > 0 && performance.now() < until) {
    const rows = await world.query<{ id: string; status: 'succeeded' | 'failed'; reason: string | null }>(
      `select id, status, error_reason as reason from article_jobs
       where id = any($1::uuid[]) and status in ('succeeded', 'failed')`,
      [[...pending.keys()]],
    )
    for (const { id, status, reason } of rows) {
      const action = pending.get(id)
      pending.delete(id)
      const next = reason === 'node_lost' && action ? await retry(action) : undefined
      if (next && action) pending.set(next, action)
      else counts[status] += 1
    }
    if (pending.size > 0) await sleep(500)
  }
  return counts
}
