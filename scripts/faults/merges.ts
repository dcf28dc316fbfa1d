import { setTimeout as sleep } from 'node:timers/promises'
import { promptOf, startFakeModel } from '../../test/support/fakeModel.ts'
import type { FakePull, FakeRepository } from '../fakeHost/fakeRepository.ts'
import { faults } from '../fakeHost/faults.ts'
import type { Deployment } from './deployment.ts'
import { startKilling } from './nodes.ts'
import type { Scenario } from './table.ts'

const REPOSITORIES = 50
const MERGES = 40
const ALL = REPOSITORIES * MERGES
/** One in this many merges is notable: the others are of bots, lock files, documents and small changes. */
const NOTABLE = 10
const KILL_MS = 10_000
const OUTAGE_AFTER_MS = 20_000
const OUTAGE_MS = 120_000
const SETTLE_TIMEOUT_MS = 600_000
const IDLE_MS = 15_000
const FIRST_ID = 7000

const SETTINGS = {
  AUTOMATIC_ARTICLES: 'on',
  AUTOMATIC_ARTICLES_PER_DAY: '100000',
  AUTOMATIC_ARTICLES_PER_REPOSITORY: '100000',
  WATCH_INTERVAL_SECONDS: '3',
  WATCH_CALLS_PER_HOUR: '1000000',
  ARTICLES_AT_ONCE: '8',
}

/**
 * Fifty repositories get forty merges each while one of three nodes is killed every ten seconds and the code host is
 * unavailable for two minutes.
 */
export const mergesFound: Scenario = async (start) => {
  const model = await startFakeModel()
  try {
    const deployment = await start({ ...SETTINGS, ...model.env })
    const { host, query } = deployment
    const count = async (from: string) =>
      Number((await query<{ count: string }>(`select count(*) from ${from}`))[0]?.count)
    const repositories = Array.from({ length: REPOSITORIES }, (_, i) =>
      host.repository({ id: FIRST_ID + i, owner: 'acme', name: `watched-${i}`, pulls: [] }),
    )
    await follow(deployment, repositories)
    await until(async () => (await count('watched_repositories where covered_until is not null')) === REPOSITORIES)

    const stopKilling = startKilling(deployment, KILL_MS)
    const started = performance.now()
    let isAway = false
    for (let share = 0; share < 1; await sleep(500)) {
      const elapsed = performance.now() - started
      share = elapsed / (OUTAGE_AFTER_MS + OUTAGE_MS)
      for (const repository of repositories) mergeUpTo(repository, Math.min(MERGES, Math.ceil(MERGES * share)))
      if (isAway || elapsed < OUTAGE_AFTER_MS) continue
      host.fail({ path: /./, times: Number.POSITIVE_INFINITY, act: faults.reset })
      isAway = true
    }
    const kills = await stopKilling()
    host.heal()
    const healed = performance.now()
    const open = "merges where status not in ('written', 'skipped')"
    await until(async () => (await count('merges')) === ALL && (await count(open)) === 0)
    const recovery = (performance.now() - healed) / 1000

    await sleep(5000)
    const callsBefore = host.calls.length
    await sleep(IDLE_MS)
    const idleCalls = host.calls.slice(callsBefore)
    const changed = idleCalls.filter(({ unchanged }) => !unchanged).length
    const listed = await countListed(deployment, repositories)
    const written = await count("merges where status = 'written'")
    const texts = await count('article_texts')
    const rewritten = await count('article_versions')
    const failed = await count("article_jobs where status = 'failed'")
    const wasted = model.requests.filter((request) => !/src\/notable-\d+-\d+\.ts/.test(promptOf(request))).length
    const expected = ALL / NOTABLE
    const isGood = listed === ALL && written === expected && texts === expected && rewritten + wasted + changed === 0
    const observations = [
      `${kills} kills`,
      `${listed} of ${ALL} merges listed once`,
      `${written} of ${expected} written, ${rewritten} twice, ${failed} jobs failed and were tried again`,
      `${model.requests.length} model calls, ${wasted} for skipped ones`,
      `${idleCalls.length} calls when idle, ${changed} without 304`,
    ]
    return { fault: 'nodes killed (-9) every 10 s, code host away for 2 min', recovery, isGood, observations }
  } finally {
    await model.close()
  }
}

async function follow({ balancer, host }: Deployment, repositories: FakeRepository[]): Promise<void> {
  const headers = { authorization: `Bearer ${host.token('follower')}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${balancer.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} returned ${answer.status}.`)
  }
  await post('/auth/signup', {})
  for (const { owner, name } of repositories) await post('/users/me/favorite-repositories', { owner, repo: name })
}

function mergeUpTo({ id, pulls = [] }: FakeRepository, count: number): void {
  while (pulls.length < count) pulls.push(newMerge(id, pulls.length + 1))
}

function newMerge(id: number, number: number): FakePull {
  const time = new Date().toISOString()
  const merged = { number, mergedAt: time, updatedAt: time, createdAt: time }
  const fileOf = (filename: string, lines: number) => {
    const added = Array.from({ length: lines }, (_, i) => `+const value${i} = compute(${i}${', 0'.repeat(i % 3)})`)
    const patch = `@@ -0,0 +1,${lines} @@\n${added.join('\n')}`
    return [{ filename, status: 'added', additions: lines, deletions: 0, patch }]
  }
  const kind = number % NOTABLE
  if (kind === 0)
    return { ...merged, title: `feat: part ${number}`, files: fileOf(`src/notable-${id}-${number}.ts`, 40) }
  if (kind < 4)
    return { ...merged, title: 'Bump', author: 'updates[bot]', isBot: true, files: fileOf('package.json', 2) }
  if (kind < 6) return { ...merged, title: 'Update', files: fileOf('package-lock.json', 90) }
  if (kind < 8) return { ...merged, title: 'docs: more', files: fileOf('docs/guide.md', 30) }
  return { ...merged, title: 'Tidy up', files: fileOf('src/small.ts', 2) }
}

/** Counts the pull requests in the lists of the API. A list that names a pull request twice counts as empty. */
async function countListed({ balancer }: Deployment, repositories: FakeRepository[]): Promise<number> {
  let listed = 0
  for (const { owner, name } of repositories) {
    const answer = await fetch(`${balancer.url}/repos/${owner}/${name}/merges?limit=100`)
    const { data } = (await answer.json()) as { data: { data: { prNumber: number }[] } }
    const numbers = data.data.map(({ prNumber }) => prNumber)
    if (new Set(numbers).size === numbers.length) listed += numbers.length
  }
  return listed
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error('The poller did not finish in time.')
    await sleep(500)
  }
}
