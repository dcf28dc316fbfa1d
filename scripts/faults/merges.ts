import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { promptOf, startFakeModel } from '../../test/support/fakeModel.ts'
import type { FakePull, FakeRepository } from '../fakeHost/fakeRepository.ts'
import { faults } from '../fakeHost/faults.ts'
import type { Scenario } from './table.ts'
import type { World } from './world.ts'

const REPOSITORIES = 50
const MERGES = 40
/** One in ten is notable: the others are bots, lock files, documents and small changes. */
const NOTABLE = 10
const KILL_MS = 10_000
const OUTAGE_AFTER_MS = 20_000
const OUTAGE_MS = 120_000
const SETTLE_TIMEOUT_MS = 600_000
const REST_MS = 15_000
const FIRST_ID = 7000

const SETTINGS = {
  AUTOMATIC_ARTICLES: 'on',
  AUTOMATIC_ARTICLES_PER_DAY: '100000',
  AUTOMATIC_ARTICLES_PER_REPOSITORY: '100000',
  WATCH_INTERVAL_SECONDS: '3',
  WATCH_CALLS_PER_HOUR: '1000000',
  RATE_LIMITS: 'off',
  ARTICLES_AT_ONCE: '8',
}

/**
 * Fifty repositories get forty merges each while one of three nodes is killed every ten seconds and the code host is away
 * for two minutes.
 */
export const mergesFound: Scenario = async (world) => {
  const model = await startFakeModel()
  const name = `merges_${randomBytes(4).toString('hex')}`
  await world.query(`create database ${name}`)
  const url = world.cluster.url.replace(/\/postgres$/, `/${name}`)
  const start = () => world.startAside({ ...SETTINGS, ...model.env, DATABASE_URL: url })
  const nodes = [await start(), await start(), await start()]
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const count = async (text: string): Promise<number> => Number((await db.query(text)).rows[0].count)
  try {
    const repositories = Array.from({ length: REPOSITORIES }, (_, i) => newRepository(world, i))
    await follow(nodes[0]?.url ?? '', world, repositories)
    await until(async () => (await count('select count(covered_until) from watched_repositories')) === REPOSITORIES)
    const callsBefore = world.host.calls.length
    const requestsBefore = model.requests.length

    const started = performance.now()
    const since = () => performance.now() - started
    let [kills, restarting, isAway] = [0, Promise.resolve(), false]
    while (since() < OUTAGE_AFTER_MS + OUTAGE_MS) {
      const due = Math.min(MERGES, Math.ceil((MERGES * since()) / (OUTAGE_AFTER_MS + OUTAGE_MS)))
      for (const repository of repositories) mergeUpTo(repository, due)
      if (!isAway && since() > OUTAGE_AFTER_MS) {
        world.host.fail({ path: /./, times: Number.POSITIVE_INFINITY, act: faults.reset })
        isAway = true
      }
      if (since() > (kills + 1) * KILL_MS) {
        await restarting
        const index = kills % nodes.length
        await nodes[index]?.kill('SIGKILL')
        restarting = start().then((node) => {
          nodes[index] = node
        })
        kills += 1
      }
      await sleep(500)
    }
    for (const repository of repositories) mergeUpTo(repository, MERGES)
    world.host.heal()
    const healed = performance.now()
    const open = "select count(*) from merges where status not in ('written', 'skipped')"
    const all = 'select count(*) from merges'
    await until(async () => (await count(all)) === REPOSITORIES * MERGES && (await count(open)) === 0)
    const recovery = (performance.now() - healed) / 1000
    await restarting

    await sleep(5000)
    const atRest = world.host.calls.length
    await sleep(REST_MS)
    const resting = world.host.calls.slice(atRest)
    const written = await count("select count(*) from merges where status = 'written'")
    const texts = await count('select count(*) from article_texts')
    const twice = await count('select count(*) from article_versions')
    const failed = await count("select count(*) from article_jobs where status = 'failed'")
    const listed = await listedOnce(nodes[0]?.url ?? '', repositories)
    const prompts = model.requests.slice(requestsBefore).map(promptOf)
    const wasted = prompts.filter((prompt) => !/src\/notable-\d+-\d+\.ts/.test(prompt)).length
    const tokens = new Set(world.host.calls.slice(callsBefore).map(({ authorization }) => authorization))
    const changed = resting.filter(({ unchanged }) => !unchanged).length
    const expected = (REPOSITORIES * MERGES) / NOTABLE
    const isGood =
      listed === REPOSITORIES * MERGES &&
      [written, texts].every((found) => found === expected) &&
      [twice, wasted, changed].every((found) => found === 0) &&
      tokens.size === 1
    const seen = [
      `${kills} kills`,
      `${listed} of ${REPOSITORIES * MERGES} merges listed once`,
      `${written} of ${expected} written, ${twice} twice, ${failed} jobs failed and were tried again`,
      `${prompts.length} model calls, ${wasted} for skipped ones`,
      `${resting.length} calls at rest, ${changed} without 304`,
      `${tokens.size} token`,
    ].join('; ')
    return { fault: 'nodes killed (-9) every 10 s, code host away for 2 min', load: 'merges', recovery, isGood, seen }
  } finally {
    await Promise.all(nodes.map((node) => node.kill('SIGKILL')))
    await db.end()
    await model.close()
  }
}

function newRepository(world: World, i: number): FakeRepository {
  return world.host.repository({ id: FIRST_ID + i, owner: 'acme', name: `watched-${i}`, pulls: [] })
}

async function follow(url: string, world: World, repositories: FakeRepository[]): Promise<void> {
  const headers = { authorization: `Bearer ${world.host.token('follower')}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
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
  if (number % NOTABLE === 0)
    return { ...merged, title: `feat: part ${number}`, files: fileOf(`src/notable-${id}-${number}.ts`, 40) }
  if (number % NOTABLE < 4)
    return { ...merged, title: 'Bump', author: 'updates[bot]', isBot: true, files: fileOf('package.json', 2) }
  if (number % NOTABLE < 6) return { ...merged, title: 'Update', files: fileOf('package-lock.json', 90) }
  if (number % NOTABLE < 8) return { ...merged, title: 'docs: more', files: fileOf('docs/guide.md', 30) }
  return { ...merged, title: 'Tidy up', files: fileOf('src/small.ts', 2) }
}

/** The pull requests in the lists of the API, each counted once. */
async function listedOnce(url: string, repositories: FakeRepository[]): Promise<number> {
  let listed = 0
  for (const { owner, name } of repositories) {
    const answer = await fetch(`${url}/repos/${owner}/${name}/merges?limit=100`)
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
