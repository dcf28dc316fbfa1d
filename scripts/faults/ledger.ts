import { setTimeout as sleep } from 'node:timers/promises'
import type { Claim, Deed, Knowledge } from './deeds.ts'
import type { Text, World } from './world.ts'

const JOB_PATIENCE_MILLISECONDS = 90_000

export type Ledger = ReturnType<typeof openLedger>

/** What was acknowledged, to be held against every later answer and, in the end, against what is stored. */
export function openLedger(world: World) {
  const states = new Map<string, boolean | undefined>()
  const busy = new Set<string>()
  const jobs = new Set<string>()
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
    acknowledge({ claim }: Deed, jobId: string | undefined): void {
      if (claim) states.set(claim.key, claim.isOn)
      if (jobId) jobs.add(jobId)
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
      const { succeeded, failed } = await ended(world, [...jobs])
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

/** How many of the jobs came to an end, given time for those whose node was killed. */
async function ended(world: World, ids: string[]): Promise<{ succeeded: number; failed: number }> {
  const until = performance.now() + JOB_PATIENCE_MILLISECONDS
  for (;;) {
    const [{ succeeded, failed } = { succeeded: 0, failed: 0 }] = await world.query<{
      succeeded: number
      failed: number
    }>(
      `select count(*) filter (where status = 'succeeded')::integer as succeeded,
         count(*) filter (where status = 'failed')::integer as failed
       from article_jobs where id = any($1::uuid[])`,
      [ids],
    )
    if (succeeded + failed === ids.length || performance.now() > until) return { succeeded, failed }
    await sleep(500)
  }
}
