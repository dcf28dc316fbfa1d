import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { answer, type Behaviour, startFakeModel } from '../../test/support/fakeModel.ts'
import { hostileAnswers } from '../../test/support/hostile/answers.ts'
import { harmless, MEGABYTE } from '../../test/support/hostile/files.ts'
import { hostilePulls } from '../../test/support/hostile/pulls.ts'
import type { FakePull } from '../fakeHost/fakeRepository.ts'
import type { Probe, Times } from './prober.ts'
import type { Row, Scenario } from './table.ts'
import type { World } from './world.ts'

type Node = Awaited<ReturnType<World['startAside']>>

interface Input {
  name: string
  pull: () => Omit<FakePull, 'number'>
  behaviour?: Behaviour | undefined
}

interface Outcome {
  name: string
  seconds: number
  /** The slowest response of /healthz. */
  health: number
  reads: number[]
  /** The outcome of each article. */
  ends: string[]
}

const AT_ONCE = 4
/** A step may take 30 s, and an article has several; four articles wait for each other. */
const DEADLINE_MS = 240_000
const MAX_HEALTH_MS = { postgres: 200, embedded: 500 }
/** The embedded database runs inside the process. */
const MAX_MEMORY_MB = { postgres: 1500, embedded: 1800 }
const HARMLESS_ROUNDS = 8
const POLL_MS = 100

const harmlessMegabyte: Input = { name: 'harmless', pull: () => ({ files: harmless(MEGABYTE) }) }
const outlined = Object.entries(hostilePulls).map(([name, pull]): Input => ({ name, pull }))
const answered = Object.entries(hostileAnswers).map(
  ([name, make]): Input => ({
    name: `answer: ${name}`,
    // Answers may quote the description, which takes the longest for one letter.
    pull: () => ({ files: harmless(20_000), body: 'a'.repeat(65_000) }),
    behaviour: (_, response, good) => answer(response, make(good)),
  }),
)

/** Writes articles about inputs that are slow to process on a separate node, and measures its other responses. */
export const hostileOutlined: Scenario = (world) => measureInputs(world, 'outlines', outlined, {})

export const hostileModelled: Scenario = async (world) => {
  const model = await startFakeModel()
  const setBehaviour = (behaviour: Behaviour | undefined) => model.always(behaviour)
  try {
    return await measureInputs(world, 'model', [...outlined, ...answered], model.env, setBehaviour)
  } finally {
    await model.close()
  }
}

export const hostileEmbedded: Scenario = async (world) => {
  const folder = await mkdtemp(join(tmpdir(), 'pullpress-hostile-'))
  try {
    return await measureInputs(world, 'outlines on the embedded database', outlined, {
      DATABASE_URL: '',
      DATA_DIR: folder,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureInputs(
  world: World,
  by: string,
  inputs: Input[],
  env: Record<string, string>,
  setBehaviour: (behaviour: Behaviour | undefined) => void = () => {},
): Promise<Row> {
  const node = await world.startAside({ ARTICLE_QUOTA_PER_DAY: '100000', ...env })
  const database = env['DATABASE_URL'] === '' ? 'embedded' : 'postgres'
  const problems: string[] = []
  const seen: string[] = []
  const bench = await openBench(world, node)
  try {
    for (const atOnce of [1, AT_ONCE]) {
      const usual: Outcome[] = []
      for (let round = 0; round < HARMLESS_ROUNDS; round++) usual.push(await bench.write(harmlessMegabyte, atOnce))
      const outcomes: Outcome[] = []
      for (const input of inputs) {
        setBehaviour(input.behaviour)
        const outcome = await bench.write(input, atOnce)
        setBehaviour(undefined)
        outcomes.push(outcome)
        const next = await bench.write({ name: 'next', pull: () => ({ files: harmless(2000) }) }, 1)
        problems.push(...problemsOf(outcome, next, MAX_HEALTH_MS[database], atOnce))
        progress(outcome, atOnce)
      }
      const [before, during] = [usual, outcomes].map((results) => p99(results.flatMap(({ reads }) => reads)))
      if ((during ?? 0) > 2 * (before ?? 0)) problems.push(`p99 of others ${before} → ${during} ms, ${atOnce} at once`)
      const slowest = outcomes.reduce((a, b) => (b.seconds > a.seconds ? b : a))
      seen.push(
        `${atOnce} at once: healthz max ${Math.round(Math.max(...outcomes.map(({ health }) => health)))} ms, p99 of others ${before} → ${during} ms, slowest ${slowest.seconds.toFixed(1)} s (${slowest.name})`,
      )
    }
    const memory = peakMemoryOf(node)
    seen.push(`${memory} MB max`)
    if (memory > MAX_MEMORY_MB[database]) problems.push(`${memory} MB of memory`)
  } finally {
    await bench.close()
    await node.kill('SIGTERM')
  }
  return {
    fault: `${inputs.length} hostile inputs, ${by}`,
    load: `${AT_ONCE} articles at once`,
    seen: [...seen, ...problems].join('; '),
    isGood: problems.length === 0 && world.exits.length === 0,
  }
}

function problemsOf({ name, health, ends }: Outcome, next: Outcome, maxHealthMs: number, atOnce: number): string[] {
  const about = (problem: string) => `${name} (${atOnce} at once): ${problem}`
  return [
    ...(health > maxHealthMs ? [about(`healthz took ${Math.round(health)} ms`)] : []),
    ...(ends.some((end) => end !== 'written' && end !== 'GENERATION_FAILED') ? [about(ends.join(', '))] : []),
    ...(next.ends.every((end) => end === 'written') ? [] : [about(`the next article: ${next.ends.join(', ')}`)]),
  ]
}

/** Writes articles about new pull requests while a prober reads and checks /healthz. */
async function openBench(world: World, node: Node) {
  const headers = { authorization: `Bearer ${world.host.token('harmed')}` }
  await fetch(`${node.url}/auth/signup`, { method: 'POST', headers })
  let repositories = 0
  async function articleOn(name: string, pull: Omit<FakePull, 'number'>): Promise<{ end: string; id: string }> {
    repositories += 1
    const repo = `r${node.port}-${repositories}`
    const repository = { id: node.port * 10_000 + repositories, owner: 'hostile', name: repo }
    world.host.repository({ ...repository, pulls: [{ number: 1, title: name, ...pull }] })
    const url = `${node.url}/repos/hostile/${repo}/pulls/1/article`
    const started = performance.now()
    for (;;) {
      const response = await fetch(url, { method: 'POST', headers: { ...headers, prefer: 'wait=60' } })
      const body = (await response.json()) as { data?: { id: string }; error?: { code: string } }
      if (response.status === 200) return { end: 'written', id: body.data?.id ?? '' }
      if (response.status !== 202) return { end: body.error?.code ?? String(response.status), id: '' }
      if (performance.now() - started > DEADLINE_MS) return { end: 'late', id: '' }
      await sleep(POLL_MS)
    }
  }
  const first = await articleOn('first', { files: harmless(2000) })
  const probe: Probe = { urls: [`${node.url}/healthz`, `${node.url}/articles/${first.id}`], pauseMs: 10 }
  const prober = new Worker(new URL('./prober.ts', import.meta.url), { workerData: probe })
  async function measured(): Promise<number[][]> {
    prober.postMessage('take')
    const [times] = (await once(prober, 'message')) as [Times]
    return probe.urls.map((url) => times[url] ?? [])
  }
  return {
    async write({ name, pull }: Input, atOnce: number): Promise<Outcome> {
      const made = Array.from({ length: atOnce }, pull)
      await measured()
      const started = performance.now()
      const articles = await Promise.all(made.map((input) => articleOn(name, input)))
      const seconds = (performance.now() - started) / 1000
      const [health = [], reads = []] = await measured()
      world.host.repositories.length = 1
      return { name, seconds, health: Math.max(0, ...health), reads, ends: articles.map(({ end }) => end) }
    },
    close: () => prober.terminate(),
  }
}

function p99(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0)
}

/** The peak resident memory of the process in MB. */
function peakMemoryOf({ pid }: Node): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes ?? 0) / 1024)
}

function progress({ name, seconds, health, reads, ends }: Outcome, atOnce: number): void {
  const times = `took ${seconds.toFixed(1)} s; health check ${Math.round(health)} ms, other reads p99 ${p99(reads)} ms`
  console.error(`  ${name}, ${atOnce} requests at once: ${times}; jobs ended with ${[...new Set(ends)].join(', ')}`)
}
