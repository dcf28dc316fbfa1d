import { setTimeout as sleep } from 'node:timers/promises'
import type { Claim, Deed, Knowledge } from './deeds.ts'
import type { Text, World } from './world.ts'

const JOB_TIMEOUT_MS = 90_000

export type Ledger = ReturnType<typeof openLedger>

/** What was acknowledged, to be held against every later answer and, in the end, against what is stored. */
export function openLedger(world: World, askAgain: (deed: Deed) => Promise<string | undefined>) {
  const states = new Map<string, boolean | undefined>()
  const busy = new Set<string>()
  const jobs = new Map<string, Deed>()
  let contradicted = 0

  const knowledge: Knowledge = { stateOf: (key) => states.get(key), isBusy: (key) => busy.has(key) }
  return {
    knowledge,
    /** How things stood as far as anybody was told; until it is acknowledged, nobody knows. */
    begin({ claim }: Deed): boolean | undefined {
      if (!claim) return undefined
      const before = states.get(claim.key)
      busy.add(claim.key)
      states.set(claim.key, undefined)
      return before
    },
    acknowledge(deed: Deed, jobId: string | undefined): void {
      if (deed.claim) states.set(deed.claim.key, deed.claim.isOn)
      if (jobId) jobs.set(jobId, deed)
    },
    /** An answer that would be right had something acknowledged before not happened. */
    contradict(): void {
      contradicted += 1
    },
    end({ claim }: Deed): void {
      if (claim) busy.delete(claim.key)
    },
    async close(): Promise<{ lost: number; jobs: number; failedJobs: number }> {
      const on = await statesIn(world)
      const wrong = [...states].filter(([key, isOn]) => isOn !== undefined && on.has(key) !== isOn)
      const { succeeded, failed } = await ended(world, jobs, askAgain)
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
 * How many of the jobs came to an end, given time for those whose node was killed. One that lost too many nodes is asked
 * for again, as a client would; its article counts once, whichever job writes it.
 */
async function ended(
  world: World,
  jobs: Map<string, Deed>,
  askAgain: (deed: Deed) => Promise<string | undefined>,
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
      const deed = pending.get(id)
      pending.delete(id)
      const next = reason === 'node_lost' && deed ? await askAgain(deed) : undefined
      if (next && deed) pending.set(next, deed)
      else counts[status] += 1
    }
    if (pending.size > 0) await sleep(500)
  }
  return counts
}
